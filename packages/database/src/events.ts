import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

export interface NewEvent {
  id: string;
  type: string;
  /** The bytes that subscribers get. */
  body: string;
}

export interface EventRow extends NewEvent {
  created_at: Date;
}

/** The parameters of `eventsAndDeliveries`. */
export type EventsParameter = "organization_id" | "event_ids" | "event_types" | "event_bodies" | "created_at";

export function eventsParameters(
  organizationId: string,
  { events, created_at }: { events: NewEvent[]; created_at: Date },
) {
  return {
    organization_id: organizationId,
    event_ids: events.map((event) => event.id),
    event_types: events.map((event) => event.type),
    event_bodies: events.map((event) => event.body),
    created_at,
  };
}

/**
 * Part of a larger statement: the events, and a delivery of each for every enabled endpoint that subscribed
 * to its type, as the common table expressions `event` and `delivery`. `condition`, on `new_event`, says
 * which of the events happened.
 */
export function eventsAndDeliveries(condition = "true"): string {
  return `event as (
      insert into events (organization_id, id, type, body, position, created_at)
      select :organization_id::uuid, new_event.id, new_event.type, new_event.body,
        pg_current_xact_id()::text::bigint + (select xid_offset from event_clock), :created_at::timestamptz
      from unnest(:event_ids::uuid[], :event_types::text[], :event_bodies::text[]) as new_event (id, type, body)
      where ${condition}
      returning id, type
    ),
    delivery as (
      insert into deliveries (organization_id, event_id, endpoint_id, state, next_attempt_at, created_at)
      select endpoint.organization_id, event.id, endpoint.id, 'pending', :created_at::timestamptz,
        :created_at::timestamptz
      from event
      join endpoints endpoint
        on endpoint.organization_id = :organization_id::uuid and endpoint.enabled
          and (endpoint.event_types is null or event.type = any (endpoint.event_types))
    )`;
}

const INSERT_EVENTS = statement<object, EventsParameter>(`with ${eventsAndDeliveries()} select`);

/** Writes events and their deliveries. */
export async function insertEvents(
  sql: Connection,
  organizationId: string,
  change: { events: NewEvent[]; created_at: Date },
): Promise<void> {
  await INSERT_EVENTS.run(sql, eventsParameters(organizationId, change));
}

export interface EventPosition {
  position: bigint;
  id: string;
}

export async function findEventPosition(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<EventPosition | null> {
  const [row] = await sql<EventPosition[]>`
    select position, id from events where organization_id = ${organizationId} and id = ${id}`;
  return row ?? null;
}

/**
 * Events after a position, oldest first. Events of transactions that could still be overtaken by an older
 * one are left for the next call: see the comment at `event_clock` in the migrations.
 */
export async function listEvents(
  sql: Connection,
  organizationId: string,
  filter: { after: EventPosition | null; types: string[] | null; not_before: Date; limit: number },
): Promise<EventRow[]> {
  const { after, types, not_before, limit } = filter;
  return await sql<EventRow[]>`
    select id, type, body, created_at from events
    where organization_id = ${organizationId}
      and position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (select xid_offset from event_clock)
      and created_at >= ${not_before}
      ${after === null ? sql`` : sql`and (position, id) > (${after.position}, ${after.id})`}
      ${types === null ? sql`` : sql`and type = any (${types}::text[])`}
    order by position, id limit ${limit}`;
}
