import type { Connection } from "./connect.ts";

/**
 * Makes sure that the events written from now on come after all stored ones in the feed. A position is the
 * writing transaction's number plus `xid_offset`, so a stored position that no transaction can have had
 * yet tells of a restore from another cluster; the offset is then raised above it. To be called before a
 * process writes events; several may do it at once, and where nothing is wrong it changes nothing.
 *
 * The newest position is looked up organization by organization, because that is how the index is sorted.
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
