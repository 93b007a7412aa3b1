/** Counting the rows of a list stops here, and so does a change of all of them. Pages need it without the schemas. */
export const MAX_COUNTED_ROWS = 10_000;
