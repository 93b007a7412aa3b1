import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { MatchingRows, RowCount } from "@findersfee/contract/row-pages";
import type { Connection } from "@findersfee/database/postgres/connect";
import { withinTime } from "@findersfee/database/postgres/time-bound";
import type { Context } from "./context.ts";

/** Filters without an index may have to read all rows: then the list has no count. */
const COUNTING_MILLISECONDS = 2_000;

/** Counts the rows of a list. `count` stops at `most`. */
export async function countRows(
  { database }: Pick<Context, "database">,
  count: (sql: Connection, most: number) => Promise<number>,
): Promise<RowCount> {
  const counted = await withinTime(database, COUNTING_MILLISECONDS, (sql) =>
    count(sql, MAX_COUNTED_ROWS + 1),
  );
  if (counted === null) return { count: null, has_more: true };
  return { count: Math.min(counted, MAX_COUNTED_ROWS), has_more: counted > MAX_COUNTED_ROWS };
}

/** The rows of a list from its first one, for a change of all of them. `rows` is one longer than the most if there are more. */
export function matchingRows(rows: readonly MatchingRows["data"][number][]): MatchingRows {
  return { data: rows.slice(0, MAX_COUNTED_ROWS), has_more: rows.length > MAX_COUNTED_ROWS };
}
