import type { Connection } from "./connect.ts";

const COUNTED = 100_000;

/** How many deliveries are due and not being sent (counted up to 100,000), and for how long the first. */
export async function backlog(sql: Connection): Promise<{ due: number; oldest_due_seconds: number }> {
  const [row] = await sql<[{ due: number; oldest_due_seconds: number }]>`
    select
      (select count(*)::int from (
        select from deliveries where next_attempt_at <= now() limit ${COUNTED}) as due) as due,
      coalesce(greatest(0, extract(epoch from now() - (
        select min(next_attempt_at) from deliveries where next_attempt_at is not null))), 0)::float8
        as oldest_due_seconds`;
  return row;
}
