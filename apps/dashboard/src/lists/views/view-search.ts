import { parseSearch, writeSearch } from "../search.ts";

/** A place in the list and the size of its pages are no part of a view. */
const PLACES = ["after", "before", "rows"];

/** The part of an address that a view stores, in one order, so that views can be compared. */
export function viewOf(search: Record<string, string | undefined>): string {
  const parameters = Object.entries(search)
    .filter(([name, value]) => value !== undefined && !PLACES.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return writeSearch(Object.fromEntries(parameters)).slice(1);
}

/** The changes of an address that show a view: other filters end. */
export function changesTo(
  view: string,
  search: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const ended = Object.keys(search).filter((name) => !PLACES.includes(name));
  return { ...Object.fromEntries(ended.map((name) => [name, undefined])), ...parseSearch(view) };
}
