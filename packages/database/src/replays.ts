import type { Connection } from "./connect.ts";

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
  finished_at: Date | null;
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
    select * from replays where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

/** The last replays of an endpoint, newest first. */
export async function listReplays(
  sql: Connection,
  organizationId: string,
  { endpoint_id, limit }: { endpoint_id: string; limit: number },
): Promise<ReplayRow[]> {
  return await sql<ReplayRow[]>`
    select * from replays where organization_id = ${organizationId} and endpoint_id = ${endpoint_id}
    order by id desc limit ${limit}`;
}

/** The oldest replay that is not finished and that nobody works on, locked; null when there is none. */
export async function lockRunningReplay(sql: Connection): Promise<ReplayRow | null> {
  const [row] = await sql<ReplayRow[]>`
    select * from replays where finished_at is null
    order by created_at limit 1 for update skip locked`;
  return row ?? null;
}

/**
 * Makes due what the replay wants of the next events after its last step, and returns how many deliveries
 * that were and the last event looked at, null when no event was left.
 */
export async function stepReplay(
  sql: Connection,
  replay: ReplayRow,
  limit: number,
): Promise<{ deliveries: number; last_event_id: string | null }> {
  const { organization_id, endpoint_id, kind, events_from, events_to, after_event_id } = replay;
  const [row] = await sql<[{ deliveries: number; last_event_id: string | null }]>`
    with event as materialized (
      select event.id, event.type, event.created_at from events event
      where event.organization_id = ${organization_id} and not event.test
        and event.id > coalesce(${after_event_id}::uuid, '00000000-0000-0000-0000-000000000000')
        and event.id >= ${idAt(events_from)}::uuid and event.id < ${idAt(events_to)}::uuid
      order by event.id limit ${limit}
    ),
    again as (
      update deliveries delivery set state = 'scheduled', next_attempt_at = now(), failures = 0
      from event
      where delivery.organization_id = ${organization_id} and delivery.event_id = event.id
        and delivery.endpoint_id = ${endpoint_id} and delivery.state in ('exhausted', 'canceled')
      returning 1
    ),
    missing as (
      insert into deliveries (organization_id, event_id, endpoint_id, state, next_attempt_at, created_at)
      select ${organization_id}, event.id, ${endpoint_id}, 'scheduled', now(), event.created_at
      from event
      join endpoints endpoint
        on endpoint.organization_id = ${organization_id} and endpoint.id = ${endpoint_id}
          and (endpoint.event_types is null or event.type = any (endpoint.event_types))
      where ${kind} = 'missed'
      on conflict do nothing
      returning 1
    )
    select (select count(*) from again)::int + (select count(*) from missing)::int as deliveries,
      (select id from event order by id desc limit 1) as last_event_id`;
  return row;
}

/** The smallest UUIDv7 of a moment: events' ids begin with theirs. */
function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Notes how far a replay is. */
export async function advanceReplay(
  sql: Connection,
  { organization_id, id }: Pick<ReplayRow, "organization_id" | "id">,
  step: { deliveries: number; after_event_id: string | null; finished: boolean },
): Promise<void> {
  await sql`
    update replays set deliveries = deliveries + ${step.deliveries},
      after_event_id = coalesce(${step.after_event_id}::uuid, after_event_id),
      finished_at = case when ${step.finished} then now() end
    where organization_id = ${organization_id} and id = ${id}`;
}
