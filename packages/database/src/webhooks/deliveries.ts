import type { Connection, Transaction } from "../postgres/connect.ts";
import { ATTEMPTS, makePresentPartition } from "../postgres/partitions.ts";
import { cancelPending, type DeliveryKey, PRIORITIES } from "./pending-deliveries.ts";

export type DeliveryRowState = "pending" | "delivered" | "exhausted" | "canceled";

export interface DeliveryRow {
  event_id: string;
  endpoint_id: string;
  event_type: string;
  state: DeliveryRowState;
  attempts: number;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  created_at: Date;
}

export interface AttemptRow {
  number: number;
  attempted_at: Date;
  duration_milliseconds: number;
  status: number | null;
  error_code: string | null;
  error_message: string | null;
  response: string;
}

const PENDING_COLUMNS = `event_id, endpoint_id, 'pending' as state, attempts, last_attempt_at, due_at as next_attempt_at`;
/** The row of a canceled delivery is not an attempt; an attempt that was under way has a later row. */
const ENDED_COLUMNS = `event_id, endpoint_id, ended as state,
  case when duration_milliseconds is not null then number else (
    select max(attempt.number) from attempts attempt
    where attempt.organization_id = ended.organization_id and attempt.event_id = ended.event_id
      and attempt.endpoint_id = ended.endpoint_id) end as attempts,
  case when duration_milliseconds is not null then attempted_at else (
    select max(attempt.attempted_at) from attempts attempt
    where attempt.organization_id = ended.organization_id and attempt.event_id = ended.event_id
      and attempt.endpoint_id = ended.endpoint_id and attempt.duration_milliseconds is not null) end
    as last_attempt_at,
  null::timestamptz as next_attempt_at`;

function withEvents(deliveries: string): string {
  return `select delivery.event_id, delivery.endpoint_id, event.type as event_type, delivery.state, delivery.attempts,
      delivery.last_attempt_at, delivery.next_attempt_at, event.created_at
    from (${deliveries}) as delivery
    join events event on event.organization_id = $1 and event.id = delivery.event_id`;
}

/** Returns all deliveries of an event, one for each endpoint. */
export async function listEventDeliveries(
  sql: Connection,
  organizationId: string,
  event_id: string,
): Promise<DeliveryRow[]> {
  // A pending delivery's endpoint exists: deleting an endpoint cancels its pending deliveries.
  return await sql.unsafe<DeliveryRow[]>(
    `${withEvents(`
      select ${PENDING_COLUMNS} from pending_deliveries
      where organization_id = $1 and event_id = $2
        and endpoint_id in (select id from endpoints where organization_id = $1)
      union all
      select ${ENDED_COLUMNS} from attempts ended
      where organization_id = $1 and event_id = $2 and ended is not null`)}
    order by endpoint_id`,
    [organizationId, event_id],
  );
}

export async function findDelivery(
  sql: Connection,
  organizationId: string,
  { event_id, endpoint_id }: Omit<DeliveryKey, "organization_id">,
): Promise<DeliveryRow | null> {
  const [row] = await sql.unsafe<DeliveryRow[]>(
    withEvents(`
      select ${PENDING_COLUMNS} from pending_deliveries
      where organization_id = $1 and event_id = $2 and endpoint_id = $3
      union all
      select ${ENDED_COLUMNS} from attempts ended
      where organization_id = $1 and event_id = $2 and endpoint_id = $3 and ended is not null`),
    [organizationId, event_id, endpoint_id],
  );
  return row ?? null;
}

/** Returns the logged attempts of a delivery, oldest first. */
export async function listAttempts(
  sql: Connection,
  organizationId: string,
  { event_id, endpoint_id }: Omit<DeliveryKey, "organization_id">,
): Promise<AttemptRow[]> {
  return await sql<AttemptRow[]>`
    select number, attempted_at, duration_milliseconds, status, error_code, error_message, response
    from attempts
    where organization_id = ${organizationId} and event_id = ${event_id} and endpoint_id = ${endpoint_id}
      and duration_milliseconds is not null
    order by attempted_at, number`;
}

/**
 * Makes deliveries due on request, each named once, and creates those that do not exist. One that has ended restarts its
 * schedule. If an attempt is under way, its result counts. Returns how many there are: none for an unknown event.
 */
export async function makeManyDue(
  sql: Connection,
  organizationId: string,
  deliveries: readonly Omit<DeliveryKey, "organization_id">[],
): Promise<number> {
  const due = await sql<{ event_id: string }[]>`
    with asked as materialized (
      select * from unnest(${deliveries.map(({ event_id }) => event_id)}::uuid[],
        ${deliveries.map(({ endpoint_id }) => endpoint_id)}::uuid[]) as asked (event_id, endpoint_id)
    ),
    reopened as (
      update attempts set ended = null from asked
      where attempts.organization_id = ${organizationId} and attempts.event_id = asked.event_id
        and attempts.endpoint_id = asked.endpoint_id and attempts.ended is not null
    )
    insert into pending_deliveries as pending
      (shard, organization_id, endpoint_id, event_id, priority, due_at, attempts, last_attempt_at, created_at)
    select endpoint.shard, event.organization_id, endpoint.id, event.id, ${PRIORITIES.manual}::smallint, now(), coalesce(done.attempts, 0),
      done.last_attempt_at, event.created_at
    from asked
    join events event on event.organization_id = ${organizationId} and event.id = asked.event_id
    join endpoints endpoint on endpoint.organization_id = ${organizationId} and endpoint.id = asked.endpoint_id
    cross join lateral (
      select max(number) as attempts,
        max(attempted_at) filter (where duration_milliseconds is not null) as last_attempt_at
      from attempts
      where organization_id = ${organizationId} and event_id = asked.event_id and endpoint_id = asked.endpoint_id
    ) as done
    order by endpoint.id, event.id
    on conflict (organization_id, endpoint_id, event_id) do update
      set due_at = now(), priority = ${PRIORITIES.manual}
    returning event_id`;
  return due.length;
}

/** Makes one delivery due, as `makeManyDue`. */
export async function makeDue(
  sql: Connection,
  organizationId: string,
  delivery: Omit<DeliveryKey, "organization_id">,
): Promise<void> {
  await makeManyDue(sql, organizationId, [delivery]);
}
const CANCELED_AT_ONCE = 1_000;

/** Cancels all pending deliveries of an endpoint. */
export async function cancelDeliveries(
  sql: Transaction,
  organization_id: string,
  endpoint_id: string,
): Promise<void> {
  // Until a worker has run for the first time, the log has no partitions.
  await makePresentPartition(sql, ATTEMPTS);
  for (;;) {
    const canceled = await cancelPending(
      sql,
      { organization_id, endpoint_id },
      { limit: CANCELED_AT_ONCE, waits: true },
    );
    if (canceled < CANCELED_AT_ONCE) return;
  }
}

export async function findEventType(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ type: string }[]>`
    select type from events where organization_id = ${organizationId} and id = ${id}`;
  return row?.type ?? null;
}

/** Returns the body that an event's deliveries send; of test events, too. */
export async function findEventBody(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ body: string }[]>`
    select body from events where organization_id = ${organizationId} and id = ${id}`;
  return row?.body ?? null;
}

/** Inserts a test event and its delivery to one endpoint. */
export async function insertTestEvent(
  sql: Connection,
  organizationId: string,
  {
    endpoint_id,
    event,
  }: { endpoint_id: string; event: { id: string; type: string; body: string; created_at: Date } },
): Promise<void> {
  await sql`
    insert into events (organization_id, id, type, body, position, created_at, test)
    values (${organizationId}, ${event.id}, ${event.type}, ${event.body},
      pg_current_xact_id()::text::bigint + (select xid_offset from event_clock), ${event.created_at}, true)`;
  await makeDue(sql, organizationId, { event_id: event.id, endpoint_id });
}
