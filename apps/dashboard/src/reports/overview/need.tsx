import type { ReactNode } from "react";
import { texts } from "./texts.ts";

/** A task that needs a person, with the page that does it. */
export interface Need {
  id: string;
  text: ReactNode;
  to: string;
  action: string;
  tone: "bad" | "warn" | "info";
}

/** Counting stops there. */
const MOST = 1000;

export const countOf = (count: number) => (count >= MOST ? `${texts.count(MOST - 1)}+` : texts.count(count));

export function Detail({ children }: { children: ReactNode }) {
  return <span className="text-muted">, {children}</span>;
}
