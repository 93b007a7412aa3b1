import { useState } from "react";

/** The selected rows of a page. */
export interface Selection {
  keys: readonly string[];
  has: (key: string) => boolean;
  /** With `through`, all rows from the one toggled last. */
  toggle: (key: string, through?: boolean) => void;
  set: (keys: readonly string[]) => void;
}

/** Keeps the selection among the rows that can be selected, in their order. A row that leaves the page is no longer selected. */
export function useSelection(page: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const keys = page.filter((key) => chosen.has(key));
  return {
    keys,
    has: (key) => keys.includes(key),
    toggle: (key, through = false) => {
      if (!page.includes(key)) return;
      const range = through && last !== null ? between(page, last, key) : [key];
      const others = keys.filter((other) => !range.includes(other));
      setChosen(new Set(chosen.has(key) ? others : [...others, ...range]));
      setLast(key);
    },
    set: (all) => {
      setChosen(new Set(all));
      setLast(null);
    },
  };
}

/** The rows from one to another, both included, in the order of the page; only the second if the first is not on it. */
function between(page: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  return start === -1 ? [to] : page.slice(Math.min(start, end), Math.max(start, end) + 1);
}
