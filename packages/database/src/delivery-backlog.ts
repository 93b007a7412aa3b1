import type { Connection } from "./connect.ts";

/** More are not counted. */
const COUNTED = 100_000;

export interface Backlog {
  /** Deliveries that are due, or being sent, to endpoints that answer. */
  due: number;
  /** Deliveries that are due for endpoints that are only probed, since they fail. */
  waiting: number;
  /** How long the oldest of `due` has been due; 0 when there is none. */
  oldest_due_seconds: number;
}

/**
 * Everything that is due, from the rows alone: counts of at most 100,000. An endpoint is failing from so many failures
 * in a row on.
 */
export async function readBacklog(sql: Connection, failing: number): Promise<Backlog> {
  const [row] = await sql<[Backlog]>`
    with due as materialized (
      select pending.due_at, coalesce(health.failures, 0) >= ${failing} as is_failing
      from (
        select organization_id, endpoint_id, due_at from pending_deliveries
        where due_at <= now() limit ${COUNTED}) as pending
      left join endpoint_health health
        on health.organization_id = pending.organization_id and health.endpoint_id = pending.endpoint_id
    )
    select count(*) filter (where not is_failing)::int as due, count(*) filter (where is_failing)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(due_at) filter (where not is_failing))), 0)::float8
        as oldest_due_seconds
    from due`;
  return row;
}
