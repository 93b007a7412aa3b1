import type { Connection } from "./connect.ts";

/** More are not counted. */
const COUNTED = 100_000;

export interface Backlog {
  /** Deliveries that are due and not being sent. */
  due: number;
  /** Deliveries that wait in the lines of their endpoints. */
  waiting: number;
  /** How long the longest due one has been due; 0 when none is. */
  oldest_due_seconds: number;
}

/** What is to be delivered and is not being sent: counts of at most 100,000. */
export async function readBacklog(sql: Connection): Promise<Backlog> {
  const [row] = await sql<[Backlog]>`
    select
      (select count(*)::int from (
        select from deliveries where next_attempt_at <= now() limit ${COUNTED}) as due) as due,
      (select count(*)::int from (
        select from endpoint_health health
        cross join lateral (
          select from deliveries
          where organization_id = health.organization_id and endpoint_id = health.endpoint_id
            and state = 'waiting'
          limit ${COUNTED}) as delivery
        where health.line_due_at is not null limit ${COUNTED}) as waiting) as waiting,
      coalesce(greatest(0, extract(epoch from now() - (
        select min(next_attempt_at) from deliveries where next_attempt_at is not null))), 0)::float8
        as oldest_due_seconds`;
  return row;
}
