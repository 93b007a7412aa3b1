import type { Connection } from "../postgres/connect.ts";
import { findOverdueEndpoints } from "./overdue-endpoints.ts";

/** The maximum of a count. */
const COUNTED = 100_000;

export interface Backlog {
  /** Deliveries that are due or being sent, of endpoints that are not failing. */
  due: number;
  /** Due deliveries of failing endpoints, which are only probed. */
  waiting: number;
  /** The age of the oldest of `due`, without those blocked by strict order; 0 when there is none. */
  oldest_due_seconds: number;
}

/**
 * Counts due deliveries from the rows alone, up to 100,000. `failing`: the number of consecutive failures from which an
 * endpoint is failing.
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
