import type { Connection } from "./connect.ts";

export interface DeliveryHourRow {
  /** From 1. */
  number: number;
  delivered: number;
  failed: number;
  retrying: number;
}

/**
 * Counts deliveries of one endpoint or of all (null) by the hours of their events, and by how they stand now: at most
 * `most` of each. `bounds`: the first possible id of each hour, and of the one after the last.
 */
export async function countDeliveryHours(
  sql: Connection,
  organizationId: string,
  { endpoint_id, bounds, most }: { endpoint_id: string | null; bounds: readonly string[]; most: number },
): Promise<DeliveryHourRow[]> {
  const [from_ids, until_ids] = [bounds.slice(0, -1), bounds.slice(1)];
  const of_endpoint = endpoint_id === null ? sql`` : sql`and endpoint_id = ${endpoint_id}`;
  const ended = (state: "delivered" | "exhausted" | "canceled") => sql`(
    select count(*)::int from (
      select from attempts
      where organization_id = ${organizationId} and ended = ${sql.unsafe(`'${state}'`)} ${of_endpoint}
        and event_id >= hour.from_id and event_id < hour.until_id
      limit ${most}) as first)`;
  // By endpoint, as the queue's index: one search for each, whatever the number of hours.
  return await sql<DeliveryHourRow[]>`
    with retrying as materialized (
      select width_bucket(first.event_id, ${from_ids}::uuid[]) as number, count(*)::int as count
      from endpoints endpoint
      cross join lateral (
        select event_id from pending_deliveries
        where organization_id = ${organizationId} and endpoint_id = endpoint.id and failures > 0
          and event_id >= ${bounds[0] ?? null} and event_id < ${bounds.at(-1) ?? null}
        limit ${most}
      ) as first
      where endpoint.organization_id = ${organizationId}
        ${endpoint_id === null ? sql`` : sql`and endpoint.id = ${endpoint_id}`}
      group by 1
    )
    select hour.number::int, ${ended("delivered")} as delivered,
      least(${ended("exhausted")} + ${ended("canceled")}, ${most}::int) as failed,
      least(coalesce(retrying.count, 0), ${most}::int) as retrying
    from unnest(${from_ids}::uuid[], ${until_ids}::uuid[]) with ordinality as hour (from_id, until_id, number)
    left join retrying on retrying.number = hour.number
    order by hour.number`;
}
