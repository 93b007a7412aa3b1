import { useState } from "react";
import type { Me, Program } from "./session.tsx";

/* The program that is shown: each tab keeps its own, and a new tab begins with the one chosen last. */

const STORED = "findersfee-program";
/** The parameter of addresses that chooses a program. */
export const PROGRAM_PARAMETER = "program";

/**
 * The program that is shown, and a function that shows another one. `?program=` in the address chooses one, too; until one is chosen,
 * it is one of the organization that the visit began at.
 */
export function useChosenProgram(
  me: Me | undefined,
  organization_id: string | undefined,
): [Program | null, (affiliate_id: string) => void] {
  const [chosen, setChosen] = useState(readChosen);
  const programs = me?.programs ?? [];
  const program =
    programs.find(({ affiliate_id }) => affiliate_id === chosen) ??
    programs.find((one) => one.organization_id === organization_id) ??
    programs.find(({ state }) => state === "active") ??
    programs[0] ??
    null;
  const choose = (affiliate_id: string) => {
    storeChosen(affiliate_id);
    setChosen(affiliate_id);
  };
  return [program, choose];
}

function readChosen(): string | null {
  const { searchParams } = new URL(window.location.href);
  const linked = searchParams.get(PROGRAM_PARAMETER);
  if (linked === null) return sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED);
  storeChosen(linked);
  return linked;
}

/** Lets the next page of this tab show a program. */
export function storeChosen(affiliate_id: string): void {
  sessionStorage.setItem(STORED, affiliate_id);
  localStorage.setItem(STORED, affiliate_id);
}
