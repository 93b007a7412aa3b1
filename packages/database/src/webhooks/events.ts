import { WAIT_FOR_PROMO_CODE } from "../affiliates/usable-codes.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { noteWritten } from "../postgres/written.ts";
import { FEED_HORIZON } from "./event-clock.ts";
import { subscribes } from "./event-subscription.ts";

export interface EventRow {
  id: string;
  type: string;
  /** The exact bytes that subscribers receive. */
  body: string;
  created_at: Date;
}

export interface NewEvent extends EventRow {
  /** The span that caused it, which its deliveries continue, as the header `traceparent`; null or absent: it is not recorded. */
  traceparent?: string | null;
}

/**
 * Part of a larger statement, for the events of a `select id, type, body, created_at, traceparent`: inserts the events, a delivery
 * for each enabled endpoint that subscribes to the event, and mails to affiliates about some events, as the common
 * table expressions `event`, `delivery` and `mail`.
 */
export function eventsAndDeliveries(source: string): string {
  return `${eventsWithDeliveries(source)},
    mail as (
      insert into mails (organization_id, id, kind, about, affiliate_id, due_at)
      select affiliate.organization_id, event.id,
        -- Null, which the table refuses, for a type below without a kind of mail.
        case event.type when 'affiliate.approved' then 'affiliate_approved'
          when 'referral.converted' then 'new_paid_referral' end,
        event.body::json #>> '{data,id}', affiliate.id,
        now() + case event.type when 'affiliate.approved' then ${WAIT_FOR_PROMO_CODE} else interval '0' end
      from event
      join affiliates affiliate on affiliate.organization_id = :organization_id::uuid
        and affiliate.id = coalesce(event.body::json #>> '{data,affiliate,id}', event.body::json #>> '{data,id}')::uuid
        and (event.type <> 'referral.converted' or affiliate.new_paid_referral_notifications)
      where event.type in ('affiliate.approved', 'referral.converted')
      on conflict (organization_id, kind, about, recipient) do nothing
    )`;
}

/** The same without mails, for events of types that cause none. */
export function eventsWithDeliveries(source: string): string {
  return `event as (
      insert into events (organization_id, id, type, body, position, created_at, traceparent)
      select :organization_id::uuid, new_event.id, new_event.type, new_event.body,
        pg_current_xact_id()::text::bigint + (select xid_offset from event_clock), new_event.created_at,
        new_event.traceparent
      from (${source}) as new_event
      returning id, type, body, created_at
    ),
    delivery as (
      -- Due by the database's clock: the one of the process that wrote the event may be ahead.
      insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
      select endpoint.shard, endpoint.organization_id, endpoint.id, event.id, now(), event.created_at
      from event
      join endpoints endpoint
        on endpoint.organization_id = :organization_id::uuid and endpoint.enabled
          and ${subscribes("event.body")}
    )`;
}

const INSERT_EVENT = statement<object, "organization_id" | keyof NewEvent>(`
  with ${eventsAndDeliveries(
    `select :id::uuid as id, :type::text as type, :body::text as body, :created_at::timestamptz as created_at,
      :traceparent::text as traceparent`,
  )}
  select`);

/** Inserts an event and its deliveries. */
export async function insertEvent(sql: Connection, organizationId: string, event: NewEvent): Promise<void> {
  await INSERT_EVENT.run(sql, {
    organization_id: organizationId,
    ...event,
    traceparent: event.traceparent ?? null,
  });
  noteWritten(sql, organizationId, [event.id]);
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

/** Returns one event, even before the feed shows it; test events are excluded. */
export async function findEvent(
  sql: Connection,
  organizationId: string,
  { id, not_before }: { id: string; not_before: Date },
): Promise<EventRow | null> {
  const [row] = await sql<EventRow[]>`
    select id, type, body, created_at from events
    where organization_id = ${organizationId} and id = ${id} and created_at >= ${not_before} and not test`;
  return row ?? null;
}

export interface EventFilter {
  /** Only events after this position. */
  after: EventPosition | null;
  types: string[] | null;
  not_before: Date;
  /** The smallest id for `not_before`, if it narrows the search: only ids have an index. */
  from_id?: string | undefined;
  newest_first?: boolean;
  limit: number;
}

/**
 * Returns events by position, oldest first by default. Events that an older one could still precede, because its
 * transaction is open, are left for a later call: see the comment on `event_clock` in the migrations.
 */
export async function listEvents(
  sql: Connection,
  organizationId: string,
  filter: EventFilter,
): Promise<EventRow[]> {
  const { types, newest_first = false, limit } = filter;
  const order = newest_first ? sql`position desc, id desc` : sql`position, id`;
  if (types === null) {
    return await sql<EventRow[]>`
      select id, type, body, created_at from events
      where ${isInFeed(sql, organizationId, filter)} order by ${order} limit ${limit}`;
  }
  // It reads a page of each type by its index, so it skips the events between events of a rare type.
  return await sql<EventRow[]>`
    select event.id, event.type, event.body, event.created_at
    from (select distinct unnest(${types}::text[]) as type) as wanted
    cross join lateral (
      select id, type, body, created_at, position from events
      where type = wanted.type and ${isInFeed(sql, organizationId, filter)} order by ${order} limit ${limit}
    ) as event
    order by ${order} limit ${limit}`;
}

function isInFeed(
  sql: Connection,
  organizationId: string,
  { after, not_before, from_id, newest_first = false }: EventFilter,
) {
  return sql`organization_id = ${organizationId}
    and position < ${sql.unsafe(FEED_HORIZON)}
    and created_at >= ${not_before} and not test
    ${from_id === undefined ? sql`` : sql`and id >= ${from_id}`}
    ${after === null ? sql`` : sql`and ${isBehind(sql, after, newest_first)}`}`;
}

function isBehind(sql: Connection, { position, id }: EventPosition, newest_first: boolean) {
  return newest_first
    ? sql`(position, id) < (${position}, ${id})`
    : sql`(position, id) > (${position}, ${id})`;
}
