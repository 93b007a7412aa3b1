import type { Connection } from "./connect.ts";

/**
 * Deletes at most `limit` events with smaller ids, which begin with the moment, and their deliveries; returns
 * how many. What is still to be delivered stays. Organization by organization, because that is how the index
 * is sorted.
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
          -- Offset: looked up for one event after another; joined, all the organization's deliveries would be read.
          and not exists (
            select from deliveries delivery
            where delivery.organization_id = event.organization_id and delivery.event_id = event.id
              and delivery.state in ('scheduled', 'waiting', 'sending')
            offset 0)
        order by event.id limit ${limit}
      ) as old
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
