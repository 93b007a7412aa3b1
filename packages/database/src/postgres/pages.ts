import type { Connection } from "./connect.ts";

/** The rows of a page, newest first: those below `below`, or those after `offset`. */
export interface PageRange {
  /** Only rows with ids below this one. */
  below: string | null;
  offset: number;
  limit: number;
}

/** A page of a `select` on a resource's table under its noun, up to its conditions. */
export interface ChosenPage {
  chosen: ReturnType<Connection["unsafe"]>;
  range: PageRange;
}

/** The API's largest page, and the row that shows whether another page follows. */
const MAX_ROWS = 101;

/**
 * For a limit in a parameter, the planner expects a tenth of all rows, so it never prefers the generic plan and plans
 * each page again, which takes Postgres a quarter of the page's time. A constant limit below it prevents that.
 */
export function pageOf(
  sql: Connection,
  noun: string,
  { chosen, range: { below, offset, limit } }: ChosenPage,
): ChosenPage["chosen"] {
  const order = sql.unsafe(`order by ${noun}.id desc`);
  const rows = sql`${chosen} ${below === null ? sql`` : sql`and ${sql.unsafe(noun)}.id < ${below}`} ${order}`;
  if (offset > 0 || limit > MAX_ROWS) return sql`${rows} limit ${limit} offset ${offset}`;
  const most = sql.unsafe(`limit ${MAX_ROWS}) as ${noun}`);
  return sql`select * from (${rows} ${most} ${order} limit ${limit}`;
}
