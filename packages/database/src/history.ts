import { type Connection, type Database, transaction } from "./postgres/connect.ts";
import type { KnownEvent } from "./postgres/written.ts";
import { alignEventClock } from "./webhooks/event-clock.ts";

/** A process's knowledge of the history of its database. */
export interface KnownHistory {
  /** Null: the role may not read it. */
  system_identifier: string | null;
  timeline: number;
  /** The highest position of a committed event that was seen. */
  position: bigint;
  /** The newest accepted history that was seen. */
  accepted_id: string | null;
  /** The time by the database's clock. */
  seen_at: Date;
}

/** The same, as it is kept. */
export interface Memory extends KnownHistory {
  /** Committed events, oldest first. */
  events: readonly KnownEvent[];
}

/** The history of the database now. */
export interface Present {
  /** It is a standby, which may lag; nothing can be said. */
  is_standby: boolean;
  system_identifier: string | null;
  /** Null: it is a standby. */
  timeline: number | null;
  /** Above the position of each committed event. */
  next_position: bigint;
  /** The newest events of the organizations that were asked for. */
  newest: { organization_id: string; event_id: string; position: bigint }[];
  /** Those of the known events that do not exist. */
  missing: KnownEvent[];
  accepted: AcceptedHistory | null;
  read_at: Date;
}

export interface AcceptedHistory {
  id: string;
  accepted_at: Date;
  system_identifier: string | null;
  accepted_by: string;
  lost_events: number | null;
}

/** The number of organizations for which a process reads the newest events when it starts. */
const FIRST_ORGANIZATIONS = 500;

interface PresentRow extends Omit<Present, "newest" | "missing" | "accepted"> {
  newest: { organization_id: string; event_id: string; position: string }[] | null;
  missing: KnownEvent[] | null;
  accepted: (Omit<AcceptedHistory, "accepted_at"> & { accepted_at: string }) | null;
}

/** Whether the role may read the cluster's identifier; by default every role may. */
export async function mayReadIdentifier(sql: Connection): Promise<boolean> {
  const [row] = await sql<[{ may: boolean }]>`
    select has_function_privilege('pg_control_system()', 'execute') as may`;
  return row.may;
}

/** The log's present timeline, which the name of each file of it begins with. */
const TIMELINE = "('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int";

/** Above each committed position. */
const NEXT_POSITION =
  "(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + (select xid_offset from event_clock))";

/**
 * Reads the present history in one statement, so from one snapshot. `organizations` have new events; null: some organizations are
 * looked at.
 */
export async function readPresent(
  sql: Connection,
  {
    organizations,
    events,
    reads_identifier,
  }: {
    organizations: readonly string[] | null;
    events: readonly KnownEvent[];
    reads_identifier: boolean;
  },
): Promise<Present> {
  const asked =
    organizations === null
      ? sql`select id from organizations order by id desc limit ${FIRST_ORGANIZATIONS}`
      : sql`select unnest(${[...organizations]}::text[]::uuid[]) as id`;
  const identifier = reads_identifier
    ? sql`(select system_identifier::text from pg_control_system())`
    : sql`null::text`;
  const [row] = await sql<[PresentRow]>`
    select pg_is_in_recovery() as is_standby, ${identifier} as system_identifier,
      case when not pg_is_in_recovery() then ${sql.unsafe(TIMELINE)} end as timeline,
      ${sql.unsafe(NEXT_POSITION)} as next_position,
      (select json_agg(newest) from (${asked}) organization
        cross join lateral (
          select event.organization_id, event.id as event_id, event.position::text as position from events event
          where event.organization_id = organization.id
          order by event.position desc, event.id desc limit 1
        ) newest) as newest,
      (select json_agg(known)
        from unnest(${events.map(({ organization_id }) => organization_id)}::text[]::uuid[],
          ${events.map(({ event_id }) => event_id)}::text[]::uuid[]) as known (organization_id, event_id)
        where not exists (
          select from events where events.organization_id = known.organization_id and events.id = known.event_id
        )) as missing,
      (select row_to_json(history) from (
        select id, accepted_at, system_identifier, accepted_by, lost_events from accepted_histories
        order by id desc limit 1
      ) history) as accepted,
      clock_timestamp() as read_at`;
  const { newest, missing, accepted } = row;
  return {
    ...row,
    newest: (newest ?? []).map(({ position, ...event }) => ({ ...event, position: BigInt(position) })),
    missing: missing ?? [],
    accepted: accepted === null ? null : { ...accepted, accepted_at: new Date(accepted.accepted_at) },
  };
}

/** Accepts the present history, even if processes knew another one. New events come after all stored ones. */
export async function acceptHistory(
  database: Database,
  { id, accepted_by, lost_events }: { id: string; accepted_by: string; lost_events: number | null },
): Promise<void> {
  const reads_identifier = await mayReadIdentifier(database);
  await transaction(database, async (sql) => {
    await alignEventClock(sql);
    const identifier = reads_identifier
      ? sql`(select system_identifier::text from pg_control_system())`
      : sql`null::text`;
    await sql`
      insert into accepted_histories (id, system_identifier, timeline, position, accepted_by, lost_events)
      select ${id}, ${identifier}, ${sql.unsafe(TIMELINE)}, ${sql.unsafe(NEXT_POSITION)}, ${accepted_by}, ${lost_events}
      on conflict (id) do nothing`;
  });
}

/** Returns the events among these that do not exist. */
export async function findMissing(sql: Connection, events: readonly KnownEvent[]): Promise<KnownEvent[]> {
  return await sql<KnownEvent[]>`
    select known.organization_id, known.event_id
    from unnest(${events.map(({ organization_id }) => organization_id)}::text[]::uuid[],
      ${events.map(({ event_id }) => event_id)}::text[]::uuid[]) as known (organization_id, event_id)
    where not exists (
      select from events where events.organization_id = known.organization_id and events.id = known.event_id)`;
}
