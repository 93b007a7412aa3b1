/** The rows of a page, newest first: those below `below`, or those after `offset`. */
export interface PageRange {
  /** Only rows with ids below this one. */
  below: string | null;
  offset: number;
  limit: number;
}
