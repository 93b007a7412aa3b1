import type { Connection } from "./connect.ts";

/**
 * Deletes at most `limit` events from before a moment, with their deliveries; returns how many. Organization
 * by organization, because that is how the index is sorted.
 */
export async function deleteOldEvents(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await sql<[{ deleted: number }]>`
    with old as materialized (
      select old.organization_id, old.id
      from organizations organization
      cross join lateral (
        select event.organization_id, event.id, event.created_at from events event
        where event.organization_id = organization.id
        order by event.position limit ${limit}
      ) as old
      where old.created_at < ${before}
      limit ${limit}
    ),
    delivery as (
      delete from deliveries using old
      where deliveries.organization_id = old.organization_id and deliveries.event_id = old.id
    ),
    event as (
      delete from events using old
      where events.organization_id = old.organization_id and events.id = old.id
      returning 1
    )
    select count(*)::int as deleted from event`;
  return row.deleted;
}
