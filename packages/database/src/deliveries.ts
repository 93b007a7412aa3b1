import type { Connection } from "./connect.ts";
import type { DeliveryKey } from "./delivery-claims.ts";

export type DeliveryRowState = "scheduled" | "waiting" | "sending" | "delivered" | "exhausted" | "canceled";

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

const COLUMNS = `delivery.event_id, delivery.endpoint_id, event.type as event_type, delivery.state,
  delivery.attempts, delivery.last_attempt_at, delivery.next_attempt_at, delivery.created_at`;
const WITH_EVENT = `deliveries delivery
  join events event on event.organization_id = delivery.organization_id and event.id = delivery.event_id`;

/**
 * An endpoint's deliveries in these states, newest event first, below a given event. Each state is a range
 * of the index by itself, so that a long log costs no more than a short one.
 */
export async function listDeliveries(
  sql: Connection,
  organizationId: string,
  filter: {
    endpoint_id: string;
    states: readonly DeliveryRowState[];
    type: string | null;
    below: string | null;
    limit: number;
  },
): Promise<DeliveryRow[]> {
  const one = (state: string) => `(
    select ${COLUMNS} from ${WITH_EVENT}
    where delivery.organization_id = $1 and delivery.endpoint_id = $2 and delivery.state = '${state}'
      and ($3::uuid is null or delivery.event_id < $3) and ($4::text is null or event.type = $4)
    order by delivery.event_id desc limit $5)`;
  return await sql.unsafe<DeliveryRow[]>(
    `select * from (${filter.states.map(one).join(" union all ")}) as delivery order by event_id desc limit $5`,
    [organizationId, filter.endpoint_id, filter.below, filter.type, filter.limit],
  );
}

/** All deliveries of an event: one for each endpoint that it went to. */
export async function listEventDeliveries(
  sql: Connection,
  organizationId: string,
  event_id: string,
): Promise<DeliveryRow[]> {
  return await sql.unsafe<DeliveryRow[]>(
    `select ${COLUMNS} from ${WITH_EVENT}
    where delivery.organization_id = $1 and delivery.event_id = $2 order by delivery.endpoint_id`,
    [organizationId, event_id],
  );
}

export async function findDelivery(
  sql: Connection,
  organizationId: string,
  { event_id, endpoint_id }: Omit<DeliveryKey, "organization_id">,
): Promise<DeliveryRow | null> {
  const [row] = await sql.unsafe<DeliveryRow[]>(
    `select ${COLUMNS} from ${WITH_EVENT}
    where delivery.organization_id = $1 and delivery.event_id = $2 and delivery.endpoint_id = $3`,
    [organizationId, event_id, endpoint_id],
  );
  return row ?? null;
}

/** The attempts at a delivery that are kept, oldest first. */
export async function listAttempts(
  sql: Connection,
  organizationId: string,
  { event_id, endpoint_id }: Omit<DeliveryKey, "organization_id">,
): Promise<AttemptRow[]> {
  return await sql<AttemptRow[]>`
    select number, attempted_at, duration_milliseconds, status, error_code, error_message, response
    from attempts
    where organization_id = ${organizationId} and event_id = ${event_id} and endpoint_id = ${endpoint_id}
    order by attempted_at, number`;
}

/**
 * Makes a delivery due now, and makes it if there is none. What has ended begins its schedule anew; what is
 * being sent at this moment is left to its attempt.
 */
export async function makeDue(
  sql: Connection,
  organizationId: string,
  { event_id, endpoint_id }: Omit<DeliveryKey, "organization_id">,
): Promise<void> {
  await sql`
    insert into deliveries as delivery (organization_id, event_id, endpoint_id, state, next_attempt_at, created_at)
    select organization_id, id, ${endpoint_id}, 'scheduled', now(), created_at from events
    where organization_id = ${organizationId} and id = ${event_id}
    on conflict (organization_id, event_id, endpoint_id) do update
      set state = 'scheduled', next_attempt_at = now(),
        failures = case when delivery.state in ('scheduled', 'waiting') then delivery.failures else 0 end
      where delivery.state <> 'sending'`;
}

/** Ends what is still to be delivered to an endpoint. */
export async function cancelDeliveries(
  sql: Connection,
  organizationId: string,
  endpoint_id: string,
): Promise<void> {
  await sql`
    update deliveries set state = 'canceled', next_attempt_at = null
    where organization_id = ${organizationId} and endpoint_id = ${endpoint_id}
      and state in ('scheduled', 'waiting')`;
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

/** Writes an event that tells of nothing, and its delivery to one endpoint. */
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
