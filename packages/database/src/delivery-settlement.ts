import type { Connection } from "./connect.ts";
import type { AttemptRow } from "./deliveries.ts";
import type { DeliveryKey } from "./delivery-claims.ts";
import { statement } from "./statement.ts";
import { arrayText } from "./text-array.ts";

/** What an attempt came to, and what becomes of its delivery. */
export interface Settlement extends DeliveryKey, Omit<AttemptRow, "number"> {
  state: "scheduled" | "delivered" | "exhausted" | "canceled";
  /** Null unless scheduled. */
  next_attempt_at: Date | null;
  failures: number;
}

/** How an endpoint fared in attempts that are settled together. */
interface EndpointFared {
  organization_id: string;
  endpoint_id: string;
  /** Whether one of them succeeded. */
  succeeded: boolean;
  /** Those that failed in a row at the end. */
  failures: number;
  at: Date;
}

/**
 * Settles attempts: one row of the log each, the delivery's next state, and the endpoint's health, all or
 * nothing. What the worker does not hold any more is passed over: another one has it.
 */
const SETTLE = statement<
  { event_id: string; endpoint_id: string },
  "worker_id" | keyof ReturnType<typeof settlementColumns> | keyof ReturnType<typeof faredColumns>
>(`
  with fared as materialized (
    select * from unnest(:fared_organization_ids::text::uuid[], :fared_endpoint_ids::text::uuid[], :succeeded::text::bool[],
      :fared_failures::text::int[], :failing_since::text::timestamptz[])
      as fared (organization_id, endpoint_id, succeeded, failures, at)
  ),
  settlement as materialized (
    select * from unnest(:organization_ids::text::uuid[], :event_ids::text::uuid[], :endpoint_ids::text::uuid[], :states::text::text[],
      :next_attempt_at::text::timestamptz[], :failures::text::int[], :attempted_at::text::timestamptz[],
      :durations::text::int[], :statuses::text::int[], :error_codes::text::text[], :error_messages::text::text[],
      :responses::text::text[])
      as settlement (organization_id, event_id, endpoint_id, state, next_attempt_at, failures, attempted_at,
        duration_milliseconds, status, error_code, error_message, response)
  ),
  settled as (
    update deliveries delivery set state = settlement.state, next_attempt_at = settlement.next_attempt_at,
      failures = settlement.failures, attempts = delivery.attempts + 1,
      last_attempt_at = settlement.attempted_at, claimed_by = null
    from settlement
    where delivery.organization_id = settlement.organization_id and delivery.event_id = settlement.event_id
      and delivery.endpoint_id = settlement.endpoint_id
      -- Wrapped: to the planner nothing is ever claimed, and it would rather go through all that is, for each.
      and coalesce(delivery.claimed_by = :worker_id::uuid, false)
    returning delivery.organization_id, delivery.event_id, delivery.endpoint_id, delivery.attempts as number,
      settlement.attempted_at, settlement.duration_milliseconds, settlement.status, settlement.error_code,
      settlement.error_message, settlement.response
  ),
  attempt as (
    insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
      status, error_code, error_message, response)
    select organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
      status, error_code, error_message, response
    from settled
  ),
  well as (
    update endpoint_health health set failures = 0, failing_since = null, last_failed_at = null,
      line_due_at = least(health.line_due_at, now())
    from fared
    where fared.failures = 0 and health.organization_id = fared.organization_id
      and health.endpoint_id = fared.endpoint_id and health.failures > 0
  ),
  badly as (
    insert into endpoint_health as health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    select fared.organization_id, fared.endpoint_id, fared.failures, fared.at, now()
    from fared
    join endpoints endpoint
      on endpoint.organization_id = fared.organization_id and endpoint.id = fared.endpoint_id
    where fared.failures > 0
    order by fared.organization_id, fared.endpoint_id
    on conflict (organization_id, endpoint_id) do update
      set failures = excluded.failures + case
          when (select succeeded from fared where fared.endpoint_id = excluded.endpoint_id) then 0
          else health.failures
        end,
        failing_since = case
          when (select succeeded from fared where fared.endpoint_id = excluded.endpoint_id)
            then excluded.failing_since
          else coalesce(health.failing_since, excluded.failing_since)
        end,
        last_failed_at = excluded.last_failed_at
  )
  select event_id, endpoint_id from settled`);

/** Returns the deliveries that were settled; of the others the worker had lost its claim. */
export function settle(
  sql: Connection,
  { worker_id, settlements }: { worker_id: string; settlements: readonly Settlement[] },
): Promise<{ event_id: string; endpoint_id: string }[]> {
  const columns = { ...settlementColumns(settlements), ...faredColumns(faredOf(settlements)) };
  return SETTLE.run(sql, { worker_id, ...columns });
}

/** How each endpoint fared, in the order in which its attempts ended. */
function faredOf(settlements: readonly Settlement[]): EndpointFared[] {
  const fared = new Map<string, EndpointFared>();
  for (const { organization_id, endpoint_id, state, attempted_at } of settlements) {
    let one = fared.get(endpoint_id);
    if (one === undefined) {
      one = { organization_id, endpoint_id, succeeded: false, failures: 0, at: attempted_at };
      fared.set(endpoint_id, one);
    }
    if (state === "delivered") {
      one.succeeded = true;
      one.failures = 0;
    } else {
      if (one.failures === 0) one.at = attempted_at;
      one.failures += 1;
    }
  }
  return [...fared.values()];
}

function faredColumns(rows: readonly EndpointFared[]) {
  return {
    fared_organization_ids: arrayText(rows.map(({ organization_id }) => organization_id)),
    fared_endpoint_ids: arrayText(rows.map(({ endpoint_id }) => endpoint_id)),
    succeeded: arrayText(rows.map(({ succeeded }) => succeeded)),
    fared_failures: arrayText(rows.map(({ failures }) => failures)),
    failing_since: arrayText(rows.map(({ at }) => at)),
  };
}

function settlementColumns(rows: readonly Settlement[]) {
  return {
    organization_ids: arrayText(rows.map(({ organization_id }) => organization_id)),
    event_ids: arrayText(rows.map(({ event_id }) => event_id)),
    endpoint_ids: arrayText(rows.map(({ endpoint_id }) => endpoint_id)),
    states: arrayText(rows.map(({ state }) => state)),
    next_attempt_at: arrayText(rows.map(({ next_attempt_at }) => next_attempt_at)),
    failures: arrayText(rows.map(({ failures }) => failures)),
    attempted_at: arrayText(rows.map(({ attempted_at }) => attempted_at)),
    durations: arrayText(rows.map(({ duration_milliseconds }) => duration_milliseconds)),
    statuses: arrayText(rows.map(({ status }) => status)),
    error_codes: arrayText(rows.map(({ error_code }) => error_code)),
    error_messages: arrayText(rows.map(({ error_message }) => error_message)),
    responses: arrayText(rows.map(({ response }) => response)),
  };
}

const CANCEL = statement<object, "worker_id" | "keys">(`
  update deliveries delivery set state = 'canceled', claimed_by = null
  from json_to_recordset(:keys::text::json) as key (organization_id uuid, event_id uuid, endpoint_id uuid)
  where delivery.organization_id = key.organization_id and delivery.event_id = key.event_id
    and delivery.endpoint_id = key.endpoint_id and delivery.claimed_by = :worker_id::uuid`);

/** Ends claimed deliveries whose endpoint is disabled or gone, without an attempt. */
export async function cancelClaimed(
  sql: Connection,
  { worker_id, deliveries }: { worker_id: string; deliveries: DeliveryKey[] },
): Promise<void> {
  await CANCEL.run(sql, { worker_id, keys: JSON.stringify(deliveries) });
}
