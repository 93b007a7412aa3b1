import type { Connection } from "../postgres/connect.ts";
import { isStandby } from "../replicas/probe.ts";

/** SQL: the position below which nothing can appear any more, in the feeds of events and of the audit log. */
export const FEED_HORIZON =
  "(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (select xid_offset from event_clock))";

/**
 * Ensures that new rows come after all stored ones in the feeds of events and of the audit log. A position is the writing transaction's number plus
 * `xid_offset`, so a stored position that is higher than any transaction's number means that the database was restored
 * from another cluster; the offset is then raised above it. Call it before a process writes events. Concurrent calls
 * are safe, and without a restore nothing changes. A standby has the primary's transaction numbers and its clock, and goes on with both
 * when it is promoted, so there is nothing to align.
 *
 * The newest position is read organization by organization, in the order of the index.
 */
export async function alignEventClock(sql: Connection): Promise<void> {
  if (await isStandby(sql)) return;
  await sql`
    with newest as (
      select max(event.position) as position
      from organizations organization
      cross join lateral (
        (select position from events
        where events.organization_id = organization.id
        order by position desc limit 1)
        union all
        (select position from audit_log_entries entry
        where entry.organization_id = organization.id
        order by position desc limit 1)
        union all
        (select position from member_security_events security
        where security.organization_id = organization.id
        order by position desc limit 1)
      ) event
    )
    update event_clock set xid_offset = newest.position + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    from newest
    where newest.position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + event_clock.xid_offset`;
}
