import type { Connection } from "../postgres/connect.ts";

/** How an endpoint's latest deliveries fared. */
export interface EndpointMetricsRow {
  endpoint_id: string;
  enabled: boolean;
  disabled_at: Date | null;
  disabled_reason: string | null;
  failing_since: Date | null;
  /** Pending deliveries, at most `most`. */
  pending: number;
  /** The latest deliveries that were attempted, at most `most`, and how many of these were delivered. */
  attempted: number;
  delivered: number;
  /** The median duration of the successful attempts. */
  p50_milliseconds: number | null;
  last_failed_event_id: string | null;
  last_failed_at: Date | null;
  last_error_code: string | null;
  last_status: number | null;
}

/**
 * Returns the figures of all endpoints of an organization, newest first. Reads the latest deliveries of events from
 * `from_id` on, at most `most` for each endpoint, so the cost depends on the number of endpoints only; no writer counts
 * anything.
 */
export async function listEndpointMetrics(
  sql: Connection,
  organizationId: string,
  { since, until, from_id, most }: { since: Date; until: Date; from_id: string; most: number },
): Promise<EndpointMetricsRow[]> {
  // The planner skips other partitions only for constant times.
  const ended = (state: "delivered" | "exhausted") => sql`(
    select event_id, ${sql.unsafe(`'${state}'`)} as state, attempted_at, duration_milliseconds
    from attempts
    where organization_id = ${organizationId} and endpoint_id = endpoint.id and ended = ${state} and event_id >= ${from_id}
      and attempted_at >= ${since} and attempted_at < ${until}
    order by event_id desc limit ${most})`;
  return await sql<EndpointMetricsRow[]>`
    select endpoint.id as endpoint_id, endpoint.enabled, endpoint.disabled_at, endpoint.disabled_reason,
      health.failing_since, waiting.pending, latest.attempted, latest.delivered, latest.p50_milliseconds,
      failed.event_id as last_failed_event_id, failed.attempted_at as last_failed_at,
      failed.error_code as last_error_code, failed.status as last_status
    from endpoints endpoint
    left join endpoint_health health
      on health.organization_id = endpoint.organization_id and health.endpoint_id = endpoint.id
    cross join lateral (
      select count(*)::int as pending from (
        select from pending_deliveries
        where organization_id = ${organizationId} and endpoint_id = endpoint.id limit ${most}) as first
    ) as waiting
    cross join lateral (
      select count(*)::int as attempted, (count(*) filter (where state = 'delivered'))::int as delivered,
        percentile_disc(0.5) within group (order by duration_milliseconds)
          filter (where state = 'delivered') as p50_milliseconds,
        (array_agg(event_id order by event_id desc) filter (where state <> 'delivered'))[1] as failed_event_id,
        (array_agg(attempted_at order by event_id desc) filter (where state <> 'delivered'))[1] as failed_at
      from (
        ${ended("delivered")} union all ${ended("exhausted")} union all (
          select event_id, 'pending', last_attempt_at, null from pending_deliveries
          where organization_id = ${organizationId} and endpoint_id = endpoint.id and event_id >= ${from_id}
            and failures > 0
          order by event_id desc limit ${most})
        order by event_id desc limit ${most}) as delivery
    ) as latest
    left join attempts failed
      on failed.organization_id = ${organizationId} and failed.event_id = latest.failed_event_id
        and failed.endpoint_id = endpoint.id and failed.attempted_at = latest.failed_at
        and failed.attempted_at >= ${since} and failed.attempted_at < ${until}
        and failed.duration_milliseconds is not null
    where endpoint.organization_id = ${organizationId}
    order by endpoint.id desc`;
}
