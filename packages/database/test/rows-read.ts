import type { Database } from "../src/postgres/connect.ts";

/**
 * Runs work and returns how many rows Postgres read for it: those that scans returned, before any filter. The pool has one
 * connection, which reports its counts when it is idle.
 */
export async function rowsReadBy(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(database);
  await work();
  return (await readSoFar(database)) - before;
}

async function readSoFar(database: Database): Promise<number> {
  if (database.options.max !== 1) throw new Error("rowsReadBy needs a pool of one connection.");
  await database`select pg_stat_force_next_flush()`;
  const [{ rows }] = await database<[{ rows: number }]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables`;
  return rows;
}
