import type { Connection } from "../postgres/connect.ts";

export interface DeliveryHourRow {
  /** From 1. */
  number: number;
  delivered: number;
  failed: number;
  retrying: number;
  /** False: counting stopped at `most`. */
  is_complete: boolean;
}

export interface DeliveryHours {
  endpoint_id: string;
  /** The beginnings of the hours, and the end of the last one. */
  hours: readonly Date[];
  /** The first possible ids of events in each hour, and in the one after the last. */
  bounds: readonly string[];
  /** Attempts of these events are within this time. The planner skips other partitions only for constant times. */
  attempted: { from: Date; until: Date };
  /** The deliveries of each state that are counted from their rows, in all hours together. */
  most: number;
}

/**
 * Counts deliveries of an endpoint by the hours of their events, and by how they stand now. Hours that are over are in
 * delivery_hours; the rows of others are counted.
 */
export async function countDeliveryHours(
  sql: Connection,
  organizationId: string,
  { endpoint_id, hours, bounds, attempted, most }: DeliveryHours,
): Promise<DeliveryHourRow[]> {
  const starts = hours.slice(0, -1).map((hour) => hour.toISOString());
  const [from_ids, until_ids] = [bounds.slice(0, -1), bounds.slice(1)];
  const ended = (states: string) => sql`(
    select count(*) from (
      select from attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and ended in (${sql.unsafe(states)})
        and event_id >= hour.from_id and event_id < hour.until_id
        and attempted_at >= ${attempted.from} and attempted_at < ${attempted.until}
      limit (select each from seal)) as first)`;
  const summed = (table: "delivery_hours" | "delivery_changes") => sql`
    select hour, delivered, failed from ${sql.unsafe(table)}
    where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and hour = any (${starts}::text[]::timestamptz[])`;
  return await sql<DeliveryHourRow[]>`
    with hour as materialized (
      select * from unnest(${starts}::text[]::timestamptz[], ${from_ids}::uuid[], ${until_ids}::uuid[])
        with ordinality as hour (starts_at, from_id, until_id, number)
    ),
    -- Few hours are counted from rows, unless no worker runs.
    seal as materialized (
      select deliveries_until, ${most}::bigint / greatest(1, (
        select count(*) from hour where starts_at >= deliveries_until)) as each
      from total_seals where organization_id = ${organizationId}
    ),
    summed as materialized (
      select hour, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
      from (${summed("delivery_hours")} union all ${summed("delivery_changes")}) as part
      group by hour
    ),
    retrying as materialized (
      select width_bucket(first.event_id, ${from_ids}::uuid[]) as number, count(*) as count
      from (
        select event_id from pending_deliveries
        where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and failures > 0
          and event_id >= ${bounds[0] ?? null} and event_id < ${bounds.at(-1) ?? null}
        limit ${most}
      ) as first
      group by 1
    ),
    counted as (
      select hour.number, hour.starts_at >= (select deliveries_until from seal) as is_read,
        case when hour.starts_at < (select deliveries_until from seal) then coalesce(summed.delivered, 0)
          else ${ended("'delivered'")} end as delivered,
        case when hour.starts_at < (select deliveries_until from seal) then coalesce(summed.failed, 0)
          else ${ended("'exhausted', 'canceled'")} end as failed,
        coalesce(retrying.count, 0) as retrying
      from hour
      left join summed on summed.hour = hour.starts_at
      left join retrying on retrying.number = hour.number
    )
    select number::int, delivered::int, failed::int, retrying::int,
      not (is_read and greatest(delivered, failed) >= (select each from seal))
        and (select coalesce(sum(count), 0) from retrying) < ${most} as is_complete
    from counted order by number`;
}
