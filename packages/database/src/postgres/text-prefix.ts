/** Sorts after every continuation of a text, in the orders of C, ICU and glibc. */
const LAST_CHARACTER = "\uFFFF";

/**
 * The bounds of the texts that begin with a prefix, for an index of the column. Orders of languages may put other texts
 * between them, so a statement also checks the beginning.
 */
export function prefixBounds(prefix: string): { from: string; until: string } {
  return { from: prefix, until: `${prefix}${LAST_CHARACTER}` };
}
