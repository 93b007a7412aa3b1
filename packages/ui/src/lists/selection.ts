import { useMemo, useState } from "react";

/** The selected rows of a list. */
export interface Selection {
  keys: readonly string[];
  /** Whether rows of other pages are selected, too. */
  is_beyond: boolean;
  has: (key: string) => boolean;
  /** With `through`, all rows from the one toggled last. */
  toggle: (key: string, through?: boolean) => void;
  /** Selects some rows of the page, and no others. */
  set: (keys: readonly string[]) => void;
  /** Selects rows of any page. */
  reach: (keys: readonly string[]) => void;
}

/**
 * Keeps the selection among the rows of the page that can be selected, in their order: a row that leaves the page is no longer
 * selected. Rows of other pages stay selected until the scope is another one, such as the filters of the list.
 */
export function useSelection(page: readonly string[], scope = ""): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reached, setReached] = useState<{ keys: readonly string[]; scope: string } | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const beyond = reached?.scope === scope ? reached.keys : null;
  const keys = useMemo(() => beyond ?? page.filter((key) => chosen.has(key)), [beyond, page, chosen]);
  const selected = useMemo(() => new Set(keys), [keys]);
  const choose = (next: readonly string[]) =>
    beyond === null ? setChosen(new Set(next)) : setReached({ keys: next, scope });
  return {
    keys,
    is_beyond: beyond !== null,
    has: (key) => selected.has(key),
    toggle: (key, through = false) => {
      if (!page.includes(key)) return;
      const range = new Set(through && last !== null ? between(page, last, key) : [key]);
      const others = keys.filter((other) => !range.has(other));
      choose(selected.has(key) ? others : [...others, ...range]);
      setLast(key);
    },
    set: (all) => {
      setReached(null);
      setChosen(new Set(all));
      setLast(null);
    },
    reach: (all) => setReached({ keys: all, scope }),
  };
}

/** The rows from one to another, both included, in the order of the page; only the second if the first is not on it. */
function between(page: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  return start === -1 ? [to] : page.slice(Math.min(start, end), Math.max(start, end) + 1);
}
