import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { type Fence, OWNS_SHARD, POSTPONED } from "../work/due-work.ts";
import type { ShardOwner } from "../work/shards.ts";
import { subscribes } from "./event-subscription.ts";
import { PRIORITIES } from "./pending-deliveries.ts";

export interface ReplayRow {
  organization_id: string;
  id: string;
  endpoint_id: string;
  kind: "failed" | "missed";
  events_from: Date;
  events_to: Date;
  after_event_id: string | null;
  deliveries: number;
  created_at: Date;
  /** Also set when the replay was stopped. */
  finished_at: Date | null;
  stopped_at: Date | null;
}

const COLUMNS =
  "organization_id, id, endpoint_id, kind, events_from, events_to, after_event_id, deliveries, created_at, finished_at, stopped_at";

export interface DueReplay extends ReplayRow {
  /** Failed steps in a row. */
  failures: number;
  /** Whether its endpoint has fewer of its deliveries pending than the most allowed. */
  has_room: boolean;
}

export type NewReplay = Pick<
  ReplayRow,
  "id" | "endpoint_id" | "kind" | "events_from" | "events_to" | "created_at"
>;

export async function insertReplay(
  sql: Connection,
  organizationId: string,
  replay: NewReplay,
): Promise<void> {
  await sql`insert into replays ${sql({ ...replay, organization_id: organizationId })}`;
}

export async function findReplay(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ReplayRow | null> {
  const [row] = await sql<ReplayRow[]>`
    select ${sql.unsafe(COLUMNS)} from replays where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

/** Returns the last replays of an endpoint, newest first. */
export async function listReplays(
  sql: Connection,
  organizationId: string,
  { endpoint_id, limit }: { endpoint_id: string; limit: number },
): Promise<ReplayRow[]> {
  return await sql<ReplayRow[]>`
    select ${sql.unsafe(COLUMNS)} from replays where organization_id = ${organizationId} and endpoint_id = ${endpoint_id}
    order by id desc limit ${limit}`;
}

const LOCK_DUE = statement<DueReplay, "organization_id" | "most_pending" | Fence>(`
  select ${COLUMNS.split(", ")
    .map((name) => `replay.${name}`)
    .join(", ")}, replay.failures, (select count(*) from (
      select from pending_deliveries pending
      where pending.shard = endpoint.shard and pending.organization_id = endpoint.organization_id
        and pending.endpoint_id = endpoint.id and pending.priority = ${PRIORITIES.replayed}
      limit :most_pending::int) as pending) < :most_pending::int as has_room
  from replays replay
  join endpoints endpoint
    on endpoint.organization_id = replay.organization_id and endpoint.id = replay.endpoint_id
  where replay.organization_id = :organization_id::uuid and replay.due_at <= now() and ${OWNS_SHARD}
  order by has_room desc, replay.due_at limit 1 for update of replay`);

/**
 * The organization's replay that is due, locked; null without one, or without the organization's shard. A replay with an
 * endpoint that has fewer than `most_pending` of its deliveries pending (`has_room`) comes first.
 */
export async function lockDueReplay(
  sql: Connection,
  organizationId: string,
  { owner, most_pending }: { owner: ShardOwner; most_pending: number },
): Promise<DueReplay | null> {
  const [row] = await LOCK_DUE.run(sql, { organization_id: organizationId, most_pending, ...owner });
  return row ?? null;
}

/** Only read for endpoints with a campaign filter. */
const BODY = `(select stored.body from events stored
  where stored.organization_id = endpoint.organization_id and stored.id = event.id)`;

/**
 * Creates the replay's deliveries for the next events after its last step. Returns the number of deliveries and the id
 * of the last event of the step, null when no event was left.
 */
export async function stepReplay(
  sql: Connection,
  replay: ReplayRow,
  limit: number,
): Promise<{ deliveries: number; last_event_id: string | null }> {
  const { organization_id, endpoint_id, kind, events_from, events_to, after_event_id } = replay;
  const [row] = await sql<[{ deliveries: number; last_event_id: string | null }]>`
    with event as (
      select event.id, event.type, event.created_at from events event
      where event.organization_id = ${organization_id} and not event.test
        and event.id > coalesce(${after_event_id}::uuid, '00000000-0000-0000-0000-000000000000')
        and event.id >= ${idAt(events_from)}::uuid and event.id < ${idAt(events_to)}::uuid
      order by event.id limit ${limit}
    ),
    endpoint as (
      select organization_id, id, shard, event_types, campaign_ids from endpoints
      where organization_id = ${organization_id} and id = ${endpoint_id}
    ),
    wanted as materialized (
      select event.id, event.created_at, done.attempts, done.last_attempt_at, done.ended
      from event
      cross join endpoint
      cross join lateral (
        select max(number) as attempts,
          max(attempted_at) filter (where duration_milliseconds is not null) as last_attempt_at,
          max(ended) as ended
        from attempts
        where organization_id = ${organization_id} and event_id = event.id and endpoint_id = ${endpoint_id}
      ) as done
      where done.ended in ('exhausted', 'canceled')
        or (${kind} = 'missed' and done.ended is null and ${sql.unsafe(subscribes(BODY))})
    ),
    made as (
      insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, priority, due_at, attempts,
        last_attempt_at, created_at)
      select endpoint.shard, ${organization_id}, endpoint.id, wanted.id, ${PRIORITIES.replayed}::smallint, now(), coalesce(wanted.attempts, 0),
        wanted.last_attempt_at, wanted.created_at
      from wanted cross join endpoint
      on conflict do nothing
      returning event_id
    ),
    reopened as (
      -- As an array, so that each is looked up by its key: of few or unknown rows, a join would compare all with each other.
      update attempts set ended = null
      where attempts.organization_id = ${organization_id} and attempts.event_id = any (array(select event_id from made))
        and attempts.endpoint_id = ${endpoint_id} and attempts.ended is not null
    )
    select (select count(*) from made)::int as deliveries,
      (select id from event order by id desc limit 1) as last_event_id`;
  return row;
}

/** The smallest UUIDv7 of a moment. */
function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Counts an endpoint's deliveries of a time that did not arrive, which a replay would repeat: at most `most`. */
export async function countFailedDeliveries(
  sql: Connection,
  organizationId: string,
  { endpoint_id, events_from, events_to }: Pick<ReplayRow, "endpoint_id" | "events_from" | "events_to">,
  most: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and ended in ('exhausted', 'canceled')
        and event_id >= ${idAt(events_from)}::uuid and event_id < ${idAt(events_to)}::uuid
      limit ${most}) as first`;
  return row.count;
}

/** Records how far a replay is, in the transaction of its step. Other replays of the organization come before its next one. */
export async function advanceReplay(
  sql: Connection,
  { organization_id, id }: Pick<ReplayRow, "organization_id" | "id">,
  step: { deliveries: number; after_event_id: string | null; finished: boolean },
): Promise<void> {
  await sql`
    update replays set deliveries = deliveries + ${step.deliveries},
      after_event_id = coalesce(${step.after_event_id}::uuid, after_event_id),
      finished_at = case when ${step.finished} then now() end,
      due_at = case when not ${step.finished} then now() end, failures = 0, reason = null
    where organization_id = ${organization_id} and id = ${id}`;
}

const POSTPONE = statement<object, "organization_id" | "id" | "seconds" | "reason" | Fence>(`
  update replays set ${POSTPONED}
  where organization_id = :organization_id::uuid and id = :id::uuid and finished_at is null and ${OWNS_SHARD}`);

/** Records that a step failed, and makes the replay due again after `seconds`. */
export async function postponeReplay(
  sql: Connection,
  { organization_id, id }: Pick<ReplayRow, "organization_id" | "id">,
  retry: { owner: ShardOwner; seconds: number; reason: string },
): Promise<void> {
  const { owner, seconds, reason } = retry;
  await POSTPONE.run(sql, { organization_id, id, seconds, reason, ...owner });
}

/** Stops a replay that is not finished; waits for a step that is under way. */
export async function stopReplay(sql: Connection, organizationId: string, id: string): Promise<void> {
  await sql`
    update replays set stopped_at = now(), finished_at = now(), due_at = null
    where organization_id = ${organizationId} and id = ${id} and finished_at is null`;
}
