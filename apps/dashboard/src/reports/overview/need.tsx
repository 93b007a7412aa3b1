import { formatCountBelow } from "@findersfee/ui/formats/counts";
import type { ReactNode } from "react";

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

export const countOf = (count: number) => formatCountBelow(count, MOST);

export function Detail({ children }: { children: ReactNode }) {
  return <span className="text-muted">, {children}</span>;
}
