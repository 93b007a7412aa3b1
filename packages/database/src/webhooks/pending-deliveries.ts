import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import { addLateHours } from "./delivery-hours.ts";

/**
 * The `priority` of a pending delivery: an endpoint gets manually requested deliveries first, then new events, then
 * replayed ones. A manual delivery is due at once, even while its endpoint is only probed. After its next
 * attempt it has the priority of a new event.
 */
export const PRIORITIES = { manual: -1, new: 0, replayed: 1 } as const;

/** Identifies a delivery: the event and the endpoint. */
export interface DeliveryKey {
  organization_id: string;
  endpoint_id: string;
  event_id: string;
}

/** An endpoint that has pending deliveries. */
export interface PendingEndpoint {
  shard: number;
  organization_id: string;
  endpoint_id: string;
  /** Milliseconds until its next delivery is due; negative if overdue. */
  due_in: number;
  /** The number of consecutive failures. */
  failures: number;
  /** Milliseconds since the last failure; null: none. */
  failed_ago: number | null;
  /** Whether a manual attempt was requested. */
  has_manual: boolean;
}

function earliestOf(priority: number): string {
  return `(select due_at, priority from pending_deliveries
     where shard = pair.shard and organization_id = pair.organization_id and endpoint_id = pair.endpoint_id
       and priority = ${priority} order by due_at limit 1)`;
}

/** The earliest pending delivery of an endpoint in the surrounding `pair`: one index look-up for each priority. */
const NEXT_DUE = `
  select min(due_at) as due_at, min(priority) = ${PRIORITIES.manual} as has_manual
  from (${Object.values(PRIORITIES).map(earliestOf).join(" union all ")}) as first`;

const PENDING_ENDPOINT = `pair.shard, pair.organization_id, pair.endpoint_id,
  (extract(epoch from first.due_at - now()) * 1000)::float8 as due_in, coalesce(health.failures, 0) as failures,
  (extract(epoch from now() - health.last_failed_at) * 1000)::float8 as failed_ago, first.has_manual`;

const WITH_HEALTH = `left join endpoint_health health
    on health.organization_id = pair.organization_id and health.endpoint_id = pair.endpoint_id`;

/** A skip scan: each endpoint costs a few index look-ups, independent of the number of its deliveries. */
const FIND_IN_SHARDS = statement<PendingEndpoint, "shards">(`
  with recursive pair as (
    select owned.shard, first.organization_id, first.endpoint_id
    from unnest(:shards::text::smallint[]) as owned (shard)
    cross join lateral (
      select organization_id, endpoint_id from pending_deliveries
      where shard = owned.shard order by organization_id, endpoint_id limit 1) as first
    union all
    select pair.shard, next.organization_id, next.endpoint_id
    from pair
    cross join lateral (
      select organization_id, endpoint_id from pending_deliveries
      where shard = pair.shard and (organization_id, endpoint_id) > (pair.organization_id, pair.endpoint_id)
      order by organization_id, endpoint_id limit 1) as next
  )
  select ${PENDING_ENDPOINT}
  from pair
  cross join lateral (${NEXT_DUE}) as first
  ${WITH_HEALTH}`);

/** Returns all endpoints of some shards that have pending deliveries. */
export function findPendingEndpoints(sql: Connection, shards: readonly number[]): Promise<PendingEndpoint[]> {
  return FIND_IN_SHARDS.run(sql, { shards: arrayText(shards) });
}

const FIND_OF_ORGANIZATIONS = statement<PendingEndpoint, "shards" | "organization_ids">(`
  with pair as materialized (
    select shard, organization_id, id as endpoint_id from endpoints
    where organization_id = any (:organization_ids::text::uuid[]) and shard = any (:shards::text::smallint[])
  )
  select ${PENDING_ENDPOINT}
  from pair
  cross join lateral (${NEXT_DUE}) as first
  ${WITH_HEALTH}
  where first.due_at is not null`);

/** Same, for the endpoints of some organizations only. */
export function findPendingEndpointsOf(
  sql: Connection,
  { shards, organization_ids }: { shards: readonly number[]; organization_ids: readonly string[] },
): Promise<PendingEndpoint[]> {
  return FIND_OF_ORGANIZATIONS.run(sql, {
    shards: arrayText(shards),
    organization_ids: arrayText(organization_ids),
  });
}

/** A request for the due deliveries of one endpoint. */
export interface DueQuery {
  shard: number;
  /** The reader's token of the shard. */
  token: bigint;
  organization_id: string;
  endpoint_id: string;
  /** The maximum number, in addition to the excluded ones. */
  limit: number;
  /** Events of deliveries that the reader already has: they and their bodies are omitted from the result. */
  excluded: readonly string[];
}

/** A delivery that is due. */
export interface DueDelivery extends DeliveryKey {
  /** The number of earlier attempts; a result is recorded only if it is unchanged. */
  attempts: number;
  failures: number;
  /** Whether this attempt was requested manually. */
  manual: boolean;
  /** The exact bytes to send; null: the event no longer exists. */
  body: string | null;
  /** The span that caused the event, as the header `traceparent`; null: it is not recorded. */
  traceparent: string | null;
}

/** The due deliveries of one endpoint. */
export interface DueDeliveries {
  /** The version of the endpoint's row; null: the endpoint no longer exists. */
  endpoint_version: string | null;
  deliveries: DueDelivery[];
  /** Milliseconds until the first delivery that is not due yet; null: there is none. */
  next_due_in: number | null;
}

interface DueRow {
  endpoint_id: string;
  organization_id: string;
  endpoint_version: string | null;
  next_due_in: number | null;
  event_id: string | null;
  attempts: number;
  failures: number;
  manual: boolean;
  body: string | null;
  traceparent: string | null;
}

function dueOf(priority: number): string {
  return `(select event_id, attempts, failures, priority, due_at from pending_deliveries
     where shard = query.shard and organization_id = query.organization_id
       and endpoint_id = query.endpoint_id and priority = ${priority} and due_at <= now() and not query.ordered
     order by due_at limit query.max_rows)`;
}

/** The next due time of a priority. Manual deliveries are due at once, so they have none. */
function nextOf(priority: number): string {
  return `(select due_at from pending_deliveries
     where shard = query.shard and organization_id = query.organization_id
       and endpoint_id = query.endpoint_id and priority = ${priority} and due_at > now()
     order by due_at limit 1)`;
}

/** Each row is looked up separately (limit): a join could read all events of an organization. */
const READ = statement<
  DueRow,
  | "shards"
  | "tokens"
  | "organization_ids"
  | "endpoint_ids"
  | "limits"
  | "excluded_endpoint_ids"
  | "excluded_event_ids"
>(`
  with query as materialized (
    select query.*, endpoint.xmin::text as endpoint_version,
      coalesce(endpoint.ordered, false) as ordered
    from unnest(:shards::text::smallint[], :tokens::text::bigint[], :organization_ids::text::uuid[],
      :endpoint_ids::text::uuid[], :limits::text::int[])
      as query (shard, token, organization_id, endpoint_id, max_rows)
    join shards owned on owned.shard = query.shard and owned.token = query.token
    left join endpoints endpoint
      on endpoint.organization_id = query.organization_id and endpoint.id = query.endpoint_id
  ),
  excluded as materialized (
    select * from unnest(:excluded_endpoint_ids::text::uuid[], :excluded_event_ids::text::uuid[])
      as excluded (endpoint_id, event_id)
  )
  select query.endpoint_id, query.organization_id, query.endpoint_version,
    (extract(epoch from next.due_at - now()) * 1000)::float8 as next_due_in,
    due.event_id, due.attempts, due.failures, due.priority = ${PRIORITIES.manual} as manual, event.body, event.traceparent
  from query
  cross join lateral (
    select min(due_at) as due_at
    from (${nextOf(PRIORITIES.new)} union all ${nextOf(PRIORITIES.replayed)}) as next) as next
  left join lateral (
    select event_id, attempts, failures, priority from (
      select event_id, attempts, failures, priority from (
      ${Object.values(PRIORITIES).map(dueOf).join(" union all ")}
      union all
      -- Strictly ordered endpoints: the deliveries before the first that is not due.
      (select event_id, attempts, failures, priority, due_at from (
         select event_id, attempts, failures, priority, due_at,
           bool_and(due_at <= now()) over (order by event_id) as is_next
         from (
           select event_id, attempts, failures, priority, due_at from pending_deliveries
           where organization_id = query.organization_id and endpoint_id = query.endpoint_id and query.ordered
           order by event_id limit query.max_rows) as head) as head
       where is_next)
      ) as due
      limit query.max_rows
    ) as due
    -- Hashed once. Without it, each read would return everything that is queued or under way.
    where (query.endpoint_id, due.event_id) not in (select endpoint_id, event_id from excluded)
  ) as due on true
  left join lateral (
    select body, traceparent from events
    where organization_id = query.organization_id and id = due.event_id limit 1) as event on true`);

/**
 * Reads the due deliveries of some endpoints by priority, each priority in the order of its due times. An endpoint
 * is omitted if its shard has another token now. Changes nothing.
 */
export async function readDue(
  sql: Connection,
  queries: readonly DueQuery[],
): Promise<Map<string, DueDeliveries>> {
  const rows = await READ.run(sql, {
    shards: arrayText(queries.map(({ shard }) => shard)),
    tokens: arrayText(queries.map(({ token }) => String(token))),
    organization_ids: arrayText(queries.map(({ organization_id }) => organization_id)),
    endpoint_ids: arrayText(queries.map(({ endpoint_id }) => endpoint_id)),
    limits: arrayText(queries.map(({ limit, excluded }) => limit + excluded.length)),
    excluded_endpoint_ids: arrayText(
      queries.flatMap(({ endpoint_id, excluded }) => excluded.map(() => endpoint_id)),
    ),
    excluded_event_ids: arrayText(queries.flatMap(({ excluded }) => excluded)),
  });
  const results = new Map<string, DueDeliveries>();
  for (const row of rows) {
    const { endpoint_id, organization_id, endpoint_version, next_due_in, event_id } = row;
    let result = results.get(endpoint_id);
    if (result === undefined) {
      result = { endpoint_version, deliveries: [], next_due_in };
      results.set(endpoint_id, result);
    }
    if (event_id === null) continue;
    const { attempts, failures, manual, body, traceparent } = row;
    const delivery = { organization_id, endpoint_id, event_id, attempts, failures, manual };
    result.deliveries.push({ ...delivery, body, traceparent });
  }
  return results;
}

function cancel(locking: "for update" | "for update skip locked"): string {
  return `
  with canceled as (
    delete from pending_deliveries where ctid = any (array(
      select ctid from pending_deliveries
      where organization_id = :organization_id::uuid and endpoint_id = :endpoint_id::uuid
      order by event_id limit :limit::int ${locking}))
    returning organization_id, event_id, endpoint_id, attempts
  ),
  logged as (
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, response, ended)
    select organization_id, event_id, endpoint_id, clock_timestamp(), attempts, '', 'canceled' from canceled
    returning organization_id, endpoint_id, event_id, ended
  ),
  late as (${addLateHours("logged")})
  select count(*)::int as canceled from canceled`;
}

const CANCEL = statement<{ canceled: number }, "organization_id" | "endpoint_id" | "limit">(
  cancel("for update"),
);
const CANCEL_UNLOCKED = statement<{ canceled: number }, "organization_id" | "endpoint_id" | "limit">(
  cancel("for update skip locked"),
);

/**
 * Cancels at most `limit` of an endpoint's pending deliveries; returns the number. Waits for locked
 * deliveries, or skips them.
 */
export async function cancelPending(
  sql: Connection,
  { organization_id, endpoint_id }: Omit<DeliveryKey, "event_id">,
  { limit, waits }: { limit: number; waits: boolean },
): Promise<number> {
  const [row] = await (waits ? CANCEL : CANCEL_UNLOCKED).run(sql, { organization_id, endpoint_id, limit });
  return row?.canceled ?? 0;
}
