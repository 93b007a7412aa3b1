import type { Connection } from "../postgres/connect.ts";

/**
 * Deletes at most `limit` events with smaller ids, except events with pending deliveries; returns the number. Ids start
 * with the time. Organization by organization, in the order of the index.
 */
export async function deleteOldEvents(
  sql: Connection,
  { before_id, limit }: { before_id: string; limit: number },
): Promise<number> {
  const [row] = await sql<[{ deleted: number }]>`
    with old as materialized (
      select old.organization_id, old.id
      from organizations organization
      cross join lateral (
        select event.organization_id, event.id from events event
        where event.organization_id = organization.id and event.id < ${before_id}
          -- By endpoint, in the order of the index.
          and not exists (
            select from endpoints endpoint
            cross join lateral (
              select from pending_deliveries pending
              where pending.organization_id = event.organization_id and pending.endpoint_id = endpoint.id
                and pending.event_id = event.id) as pending
            where endpoint.organization_id = event.organization_id)
        order by event.id limit ${limit}
      ) as old
      limit ${limit}
    ),
    event as (
      delete from events using old
      where events.organization_id = old.organization_id and events.id = old.id
      returning 1
    )
    select count(*)::int as deleted from event`;
  return row.deleted;
}
