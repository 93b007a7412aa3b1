/** The most values of a list in a rule. */
const MOST_VALUES = 50;

/** The issue of a list, or of the first of its values that has one. */
export function issueOfList(path: string, issueOf: (path: string) => string | undefined): string | undefined {
  const own = issueOf(path);
  if (own !== undefined) return own;
  return Array.from({ length: MOST_VALUES }, (_, index) => issueOf(`${path}[${index}]`)).find(
    (issue) => issue !== undefined,
  );
}
