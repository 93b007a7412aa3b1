import type { Connection } from "./connect.ts";

export interface DeliveryHourRow {
  /** From 1. */
  number: number;
  delivered: number;
  failed: number;
  retrying: number;
}

export interface DeliveryHours {
  endpoint_id: string;
  /** The first possible ids of events in each hour, and in the one after the last. */
  bounds: readonly string[];
  /** Attempts of these events are within this time. The planner skips other partitions only for constant times. */
  attempted: { from: Date; until: Date };
  /** Counting stops here, for each hour and state. */
  most: number;
}

/** Counts deliveries of an endpoint by the hours of their events, and by how they stand now. */
export async function countDeliveryHours(
  sql: Connection,
  organizationId: string,
  { endpoint_id, bounds, attempted, most }: DeliveryHours,
): Promise<DeliveryHourRow[]> {
  const [from_ids, until_ids] = [bounds.slice(0, -1), bounds.slice(1)];
  const ended = (state: "delivered" | "exhausted" | "canceled") => sql`(
    select count(*)::int from (
      select from attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and ended = ${sql.unsafe(`'${state}'`)}
        and event_id >= hour.from_id and event_id < hour.until_id
        and attempted_at >= ${attempted.from} and attempted_at < ${attempted.until}
      limit ${most}) as first)`;
  return await sql<DeliveryHourRow[]>`
    with retrying as materialized (
      select width_bucket(first.event_id, ${from_ids}::uuid[]) as number, count(*)::int as count
      from (
        select event_id from pending_deliveries
        where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and failures > 0
          and event_id >= ${bounds[0] ?? null} and event_id < ${bounds.at(-1) ?? null}
        limit ${most}
      ) as first
      group by 1
    )
    select hour.number::int, ${ended("delivered")} as delivered,
      least(${ended("exhausted")} + ${ended("canceled")}, ${most}::int) as failed,
      least(coalesce(retrying.count, 0), ${most}::int) as retrying
    from unnest(${from_ids}::uuid[], ${until_ids}::uuid[]) with ordinality as hour (from_id, until_id, number)
    left join retrying on retrying.number = hour.number
    order by hour.number`;
}
