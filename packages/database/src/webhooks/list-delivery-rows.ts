import type { Connection } from "../postgres/connect.ts";
import type { DeliveryRow, DeliveryRowState } from "./deliveries.ts";

/** A delivery with the result of its last attempt. */
export interface DeliveryListRow extends DeliveryRow {
  last_status: number | null;
  last_error_code: string | null;
  last_duration_milliseconds: number | null;
}

export interface DeliveryRowFilter {
  endpoint_id?: string | undefined;
  states: readonly DeliveryRowState[];
  /** The first and the last possible id of the events. */
  from_id: string;
  until_id: string;
  /** Attempts of these events are within this time. The planner skips other partitions only for constant times. */
  attempted: { from: Date; until: Date };
  type?: string | undefined;
  error_code?: string | undefined;
  status?: number | undefined;
  /** Only deliveries with a failed last attempt. */
  failed?: boolean | undefined;
}

/** The position of a row: deliveries are in the order of their events, the newest first, then of endpoints. */
export interface DeliveryPosition {
  event_id: string;
  endpoint_id: string;
}

interface DeliveryRange {
  after: DeliveryPosition | null;
  limit: number;
}

type Fragment = ReturnType<Connection["unsafe"]>;

/**
 * Returns the deliveries of one endpoint or of all, newest event first. `searched`: the deliveries by states, times and
 * endpoint, which an index has in this order, that are read for the other conditions.
 */
export async function listDeliveryRows(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: { filter: DeliveryRowFilter; range: DeliveryRange; searched: number },
): Promise<DeliveryListRow[]> {
  return await sql<DeliveryListRow[]>`
    ${matching(sql, organizationId, { filter, range, searched })}`;
}

/** Counts the same deliveries: those of `searched` that match. */
export async function countDeliveryRows(
  sql: Connection,
  organizationId: string,
  { filter, searched }: { filter: DeliveryRowFilter; searched: number },
): Promise<number> {
  const range = { after: null, limit: searched };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from (${matching(sql, organizationId, { filter, range, searched })}) as delivery`;
  return row.count;
}

function matching(
  sql: Connection,
  organizationId: string,
  { filter, range, searched }: { filter: DeliveryRowFilter; range: DeliveryRange; searched: number },
): Fragment {
  const { type, error_code, status, failed = false } = filter;
  return sql`
    select delivery.event_id, delivery.endpoint_id, event.type as event_type, delivery.state, delivery.attempts,
      delivery.last_attempt_at, delivery.next_attempt_at, event.created_at,
      coalesce(delivery.status, last.status) as last_status,
      coalesce(delivery.error_code, last.error_code) as last_error_code,
      coalesce(delivery.duration_milliseconds, last.duration_milliseconds) as last_duration_milliseconds
    from (${inStates(sql, organizationId, { filter, range: { ...range, limit: searched } })}) as delivery
    join events event on event.organization_id = ${organizationId} and event.id = delivery.event_id
    left join lateral (
      -- The row of a delivery that ended by an attempt is that attempt.
      select status, error_code, duration_milliseconds from attempts
      where delivery.duration_milliseconds is null ${attempted(sql, filter)}
        and organization_id = ${organizationId} and event_id = delivery.event_id
        and endpoint_id = delivery.endpoint_id and attempted_at = delivery.last_attempt_at
        and duration_milliseconds is not null
      limit 1
    ) as last on true
    where true
      ${type === undefined ? sql`` : sql`and event.type = ${type}`}
      ${error_code === undefined ? sql`` : sql`and coalesce(delivery.error_code, last.error_code) = ${error_code}`}
      ${status === undefined ? sql`` : sql`and coalesce(delivery.status, last.status) = ${status}`}
      ${failed ? sql`and coalesce(delivery.error_code, last.error_code) is not null` : sql``}
    order by delivery.event_id desc, delivery.endpoint_id desc limit ${range.limit}`;
}

/** The position of the last of the deliveries that `listDeliveryRows` searched; null when it searched all. */
export async function findLastSearched(
  sql: Connection,
  organizationId: string,
  {
    filter,
    after,
    searched,
  }: { filter: DeliveryRowFilter; after: DeliveryPosition | null; searched: number },
): Promise<DeliveryPosition | null> {
  const [last, next] = await sql<DeliveryPosition[]>`
    select event_id, endpoint_id
    from (${inStates(sql, organizationId, { filter, range: { after, limit: searched + 1 } })}) as delivery
    order by event_id desc, endpoint_id desc offset ${searched - 1} limit 2`;
  return last === undefined || next === undefined ? null : last;
}

/** The first deliveries of each state, and of these the first ones. */
function inStates(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: DeliveryRowFilter; range: DeliveryRange },
): Fragment {
  const order = sql`order by event_id desc, endpoint_id desc limit ${range.limit}`;
  const parts = filter.states.map((state) => {
    const rows =
      state === "pending"
        ? pendingOf(sql, organizationId, { filter, range, order })
        : endedOf(sql, organizationId, { state, filter, range, order });
    return sql`union all (${rows})`;
  });
  const none = sql`
    select null::uuid as event_id, null::uuid as endpoint_id, null::text as state, null::integer as attempts,
      null::timestamptz as last_attempt_at, null::timestamptz as next_attempt_at, null::integer as status,
      null::text as error_code, null::integer as duration_milliseconds
    where false`;
  return sql`${none} ${parts.length === 0 ? sql`` : parts} ${order}`;
}

interface Part {
  filter: DeliveryRowFilter;
  range: DeliveryRange;
  order: Fragment;
}

/** Of all endpoints, the first of each: the queue has no index of all, which every delivery would have to write. */
function pendingOf(sql: Connection, organizationId: string, { filter, range, order }: Part): Fragment {
  const rows = (endpoint: Fragment) => sql`
    select event_id, endpoint_id, 'pending', attempts, last_attempt_at, due_at, null::integer, null::text, null::integer
    from pending_deliveries
    where organization_id = ${organizationId} and endpoint_id = ${endpoint} ${within(sql, filter, range)} ${order}`;
  if (filter.endpoint_id !== undefined) return rows(sql`${filter.endpoint_id}`);
  return sql`
    select first.* from endpoints endpoint cross join lateral (${rows(sql`endpoint.id`)}) as first
    where endpoint.organization_id = ${organizationId} ${order}`;
}

/** The row of a canceled delivery is not an attempt; an attempt that was under way has a later row. */
function endedOf(
  sql: Connection,
  organizationId: string,
  { state, filter, range, order }: Part & { state: DeliveryRowState },
): Fragment {
  const attempts = sql`from attempts attempt
    where attempt.organization_id = ${organizationId} and attempt.event_id = ended.event_id
      and attempt.endpoint_id = ended.endpoint_id ${attempted(sql, filter)}`;
  return sql`
    select event_id, endpoint_id, ended,
      case when duration_milliseconds is not null then number else (select max(attempt.number) ${attempts}) end,
      case when duration_milliseconds is not null then attempted_at else (
        select max(attempt.attempted_at) ${attempts} and attempt.duration_milliseconds is not null) end,
      null::timestamptz, status, error_code, duration_milliseconds
    from attempts ended
    where organization_id = ${organizationId} and ended = ${sql.unsafe(`'${state}'`)}
      ${attempted(sql, filter)}
      ${filter.endpoint_id === undefined ? sql`` : sql`and endpoint_id = ${filter.endpoint_id}`}
      ${within(sql, filter, range)} ${order}`;
}

function attempted(sql: Connection, { attempted: { from, until } }: DeliveryRowFilter): Fragment {
  return sql`and attempted_at >= ${from} and attempted_at < ${until}`;
}

function within(
  sql: Connection,
  { from_id, until_id }: DeliveryRowFilter,
  { after }: DeliveryRange,
): Fragment {
  const in_time = sql`and event_id >= ${from_id} and event_id <= ${until_id}`;
  if (after === null) return in_time;
  return sql`${in_time} and event_id <= ${after.event_id}
    and (event_id, endpoint_id) < (${after.event_id}, ${after.endpoint_id})`;
}
