import type { Connection } from "../postgres/connect.ts";

/**
 * Ensures that new events come after all stored ones in the feed. A position is the writing transaction's number plus
 * `xid_offset`, so a stored position that is higher than any transaction's number means that the database was restored
 * from another cluster; the offset is then raised above it. Call it before a process writes events. Concurrent calls
 * are safe, and without a restore nothing changes.
 *
 * The newest position is read organization by organization, in the order of the index.
 */
export async function alignEventClock(sql: Connection): Promise<void> {
  await sql`
    with newest as (
      select max(event.position) as position
      from organizations organization
      cross join lateral (
        select position from events
        where events.organization_id = organization.id
        order by position desc limit 1
      ) event
    )
    update event_clock set xid_offset = newest.position + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    from newest
    where newest.position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + event_clock.xid_offset`;
}
