import type { RowCount } from "@findersfee/contract/row-pages";
import type { QueryKey } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

/** The number of rows of a list, in a request of its own: the list does not wait for it. */
export function countQuery<Filters extends object>(
  { organization }: Session,
  {
    area,
    filters,
    count,
  }: {
    /** The second part of the keys of the list's queries. */
    area: string;
    filters: Filters;
    count: (filters: Filters, options: { signal: AbortSignal }) => Promise<RowCount>;
  },
): CountQuery {
  return {
    queryKey: [organization.id, area, "count", filters],
    queryFn: ({ signal }) => count(filters, { signal }),
  };
}

/** Not by `queryOptions`, which every page with such a query would load. */
export interface CountQuery {
  queryKey: QueryKey;
  queryFn: (context: { signal: AbortSignal }) => Promise<RowCount>;
}

export interface Counts {
  /** The number of rows that match the filters. */
  matching: CountQuery;
  /** The number of all rows. */
  all: CountQuery;
}

export interface RowCountProps {
  counts: Counts;
  /**
   * The first row of a list that follows changes: with another one, the rows are counted again. Null if there is none, undefined
   * until it is known, and on other pages.
   */
  newest?: string | null | undefined;
  address: { is_filtered: boolean };
}
