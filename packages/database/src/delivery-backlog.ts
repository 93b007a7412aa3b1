import type { Connection } from "./connect.ts";
import { findOverdueEndpoints } from "./overdue-endpoints.ts";

/** More are not counted. */
const COUNTED = 100_000;

export interface Backlog {
  /** Deliveries that are due, or being sent, to endpoints that answer. */
  due: number;
  /** Deliveries that are due for endpoints that are only probed, since they fail. */
  waiting: number;
  /** How long the oldest of `due` has been due, without those that strict order holds back; 0 when there is none. */
  oldest_due_seconds: number;
}

/**
 * Everything that is due, from the rows alone: counts of at most 100,000. An endpoint is failing from so many failures
 * in a row on.
 */
export async function readBacklog(sql: Connection, failing: number): Promise<Backlog> {
  const [row] = await sql<[Omit<Backlog, "oldest_due_seconds">]>`
    with due as materialized (
      select organization_id, endpoint_id from pending_deliveries where due_at <= now() limit ${COUNTED}
    )
    select count(*) filter (where coalesce(health.failures, 0) < ${failing})::int as due,
      count(*) filter (where health.failures >= ${failing})::int as waiting
    from due
    left join endpoint_health health
      on health.organization_id = due.organization_id and health.endpoint_id = due.endpoint_id`;
  const endpoints = await findOverdueEndpoints(sql);
  const healthy = endpoints.filter(({ failures }) => failures < failing);
  const oldest_due_seconds = healthy.reduce((oldest, { due_in }) => Math.max(oldest, -due_in / 1000), 0);
  return { ...row, oldest_due_seconds };
}
