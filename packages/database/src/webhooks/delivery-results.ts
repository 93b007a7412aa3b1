import type { Connection } from "../postgres/connect.ts";
import { arrayText, statement } from "../postgres/statement.ts";
import type { AttemptRow } from "./deliveries.ts";
import { addLateHours, isLate } from "./delivery-hours.ts";
import { type DeliveryKey, PRIORITIES } from "./pending-deliveries.ts";

/** The result of an attempt, and the next step of its delivery. */
export interface DeliveryResult extends DeliveryKey, Omit<AttemptRow, "number"> {
  state: "scheduled" | "delivered" | "exhausted";
  /** False: it failed at the operator's proxy, so it is no failure of the endpoint. */
  sent: boolean;
  /** Milliseconds until the next attempt; null unless scheduled. */
  next_attempt_in: number | null;
  failures: number;
  /** The number of earlier attempts, as read with the delivery. */
  attempts: number;
}

/** The results of one endpoint in a batch. */
interface EndpointResults {
  organization_id: string;
  endpoint_id: string;
  /** Whether any attempt succeeded. */
  succeeded: boolean;
  /** The number of consecutive failures at the end. */
  failures: number;
  first_failed_at: Date;
}

/** The rows of a batch: a result of each attempt, and one row for each endpoint. */
const BATCH = `result as (
    select * from unnest(:organization_ids::text::uuid[], :event_ids::text::uuid[], :endpoint_ids::text::uuid[],
      :states::text::text[], :next_attempt_in::text::float8[], :failures::text::int[], :attempts::text::int[],
      :attempted_at::text::timestamptz[], :durations::text::int[], :statuses::text::int[], :error_codes::text::text[],
      :error_messages::text::text[], :responses::text::text[])
      as result (organization_id, event_id, endpoint_id, state, next_attempt_in, failures, attempts, attempted_at,
        duration_milliseconds, status, error_code, error_message, response)
  ),
  fared as (
    select * from unnest(:fared_organization_ids::text::uuid[], :fared_endpoint_ids::text::uuid[], :succeeded::text::bool[],
      :fared_failures::text::int[], :first_failed_at::text::timestamptz[])
      as fared (organization_id, endpoint_id, succeeded, failures, first_failed_at)
  )`;

/** Counts the failures of each endpoint with a newly logged attempt. */
const ENDPOINT_HEALTH = `fared_now as (
    select fared.* from fared
    where exists (select from logged where logged.endpoint_id = fared.endpoint_id)
  ),
  well as (
    update endpoint_health health set failures = 0, failing_since = null, last_failed_at = null
    from fared_now
    where fared_now.failures = 0 and health.organization_id = fared_now.organization_id
      and health.endpoint_id = fared_now.endpoint_id and health.failures > 0
  ),
  badly as (
    insert into endpoint_health as health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    select fared_now.organization_id, fared_now.endpoint_id, fared_now.failures, fared_now.first_failed_at, now()
    from fared_now
    join endpoints endpoint
      on endpoint.organization_id = fared_now.organization_id and endpoint.id = fared_now.endpoint_id
    where fared_now.failures > 0
    order by fared_now.organization_id, fared_now.endpoint_id
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
  )`;

/**
 * Logs each attempt, from any worker. A success ends the delivery if it is still pending. A failure changes a delivery
 * only if it is as it was read: an attempt that was recorded since takes precedence. Running the same batch again
 * changes nothing: its rows are in the log.
 */
function recordStatement({ late }: { late: boolean }) {
  return statement<
    DeliveryKey & { attempted_at: Date },
    keyof ReturnType<typeof resultColumns> | keyof ReturnType<typeof endpointColumns>
  >(`
  with ${BATCH},
  ended as (
    delete from pending_deliveries pending using result
    where pending.organization_id = result.organization_id and pending.endpoint_id = result.endpoint_id
      and pending.event_id = result.event_id
      and (result.state = 'delivered' or (result.state = 'exhausted' and pending.attempts = result.attempts))
    returning pending.event_id, pending.endpoint_id, pending.attempts
  ),
  scheduled as (
    update pending_deliveries pending set
      due_at = now() + make_interval(secs => result.next_attempt_in / 1000), failures = result.failures,
      attempts = pending.attempts + 1, last_attempt_at = result.attempted_at,
      priority = greatest(pending.priority, ${PRIORITIES.new})
    from result
    where pending.organization_id = result.organization_id and pending.endpoint_id = result.endpoint_id
      and pending.event_id = result.event_id and result.state = 'scheduled' and pending.attempts = result.attempts
  ),
  logged as (
    insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds,
      status, error_code, error_message, response, ended)
    select result.organization_id, result.event_id, result.endpoint_id,
      coalesce(ended.attempts, result.attempts) + 1, result.attempted_at, result.duration_milliseconds,
      result.status, result.error_code, result.error_message, result.response,
      case when ended.event_id is not null then result.state end
    from result
    left join ended on ended.event_id = result.event_id and ended.endpoint_id = result.endpoint_id
    on conflict do nothing
    returning organization_id, endpoint_id, event_id, ended
  ),
  ${late ? `late as (${addLateHours("logged")}),` : ""}
  ${ENDPOINT_HEALTH}
  select organization_id, endpoint_id, event_id, attempted_at from result
  where state = 'delivered' and not exists (
    select from ended where ended.event_id = result.event_id and ended.endpoint_id = result.endpoint_id)`);
}

const RECORD = recordStatement({ late: false });
/** Another 10 % of CPU time for a single result: most have none of an hour that may be counted. */
const RECORD_LATE = recordStatement({ late: true });

const END_CANCELED = statement<object, "organization_ids" | "endpoint_ids" | "event_ids" | "attempted_at">(`
  with late as materialized (
    select * from unnest(:organization_ids::text::uuid[], :endpoint_ids::text::uuid[], :event_ids::text::uuid[],
      :attempted_at::text::timestamptz[]) as late (organization_id, endpoint_id, event_id, attempted_at)
  ),
  canceled as (
    update attempts set ended = null from late
    where attempts.organization_id = late.organization_id and attempts.endpoint_id = late.endpoint_id
      and attempts.event_id = late.event_id and attempts.ended = 'canceled'
    returning late.*
  )
  update attempts set ended = 'delivered' from canceled
  where attempts.organization_id = canceled.organization_id and attempts.endpoint_id = canceled.endpoint_id
    and attempts.event_id = canceled.event_id and attempts.attempted_at = canceled.attempted_at
    and attempts.duration_milliseconds is not null`);

/**
 * Records results, all or none. Recording the same results again changes nothing. A delivery that was canceled during
 * its attempt ends as delivered if the attempt succeeded.
 */
export async function recordResults(sql: Connection, results: readonly DeliveryResult[]): Promise<void> {
  const columns = { ...resultColumns(results), ...endpointColumns(resultsByEndpoint(results)) };
  // A result can be recorded long after the attempt, when the database is back.
  const now = new Date();
  const has_late = results.some(({ event_id }) => isLate(event_id, now));
  const late = await (has_late ? RECORD_LATE : RECORD).run(sql, columns);
  if (late.length === 0) return;
  // A separate statement: the first one would have to lock every partition each time.
  await END_CANCELED.run(sql, {
    organization_ids: arrayText(late.map(({ organization_id }) => organization_id)),
    endpoint_ids: arrayText(late.map(({ endpoint_id }) => endpoint_id)),
    event_ids: arrayText(late.map(({ event_id }) => event_id)),
    attempted_at: arrayText(late.map(({ attempted_at }) => attempted_at)),
  });
}

/** Groups results by endpoint, in the order in which the attempts ended, without those that were not sent. */
function resultsByEndpoint(results: readonly DeliveryResult[]): EndpointResults[] {
  const endpoints = new Map<string, EndpointResults>();
  for (const { organization_id, endpoint_id, state, sent, attempted_at } of results) {
    if (!sent) continue;
    let one = endpoints.get(endpoint_id);
    if (one === undefined) {
      one = { organization_id, endpoint_id, succeeded: false, failures: 0, first_failed_at: attempted_at };
      endpoints.set(endpoint_id, one);
    }
    if (state === "delivered") {
      one.succeeded = true;
      one.failures = 0;
    } else {
      if (one.failures === 0) one.first_failed_at = attempted_at;
      one.failures += 1;
    }
  }
  return [...endpoints.values()];
}

function endpointColumns(rows: readonly EndpointResults[]) {
  return {
    fared_organization_ids: arrayText(rows.map(({ organization_id }) => organization_id)),
    fared_endpoint_ids: arrayText(rows.map(({ endpoint_id }) => endpoint_id)),
    succeeded: arrayText(rows.map(({ succeeded }) => succeeded)),
    fared_failures: arrayText(rows.map(({ failures }) => failures)),
    first_failed_at: arrayText(rows.map(({ first_failed_at }) => first_failed_at)),
  };
}

function resultColumns(rows: readonly DeliveryResult[]) {
  return {
    organization_ids: arrayText(rows.map(({ organization_id }) => organization_id)),
    event_ids: arrayText(rows.map(({ event_id }) => event_id)),
    endpoint_ids: arrayText(rows.map(({ endpoint_id }) => endpoint_id)),
    states: arrayText(rows.map(({ state }) => state)),
    next_attempt_in: arrayText(rows.map(({ next_attempt_in }) => next_attempt_in)),
    failures: arrayText(rows.map(({ failures }) => failures)),
    attempts: arrayText(rows.map(({ attempts }) => attempts)),
    attempted_at: arrayText(rows.map(({ attempted_at }) => attempted_at)),
    durations: arrayText(rows.map(({ duration_milliseconds }) => duration_milliseconds)),
    statuses: arrayText(rows.map(({ status }) => status)),
    error_codes: arrayText(rows.map(({ error_code }) => error_code)),
    error_messages: arrayText(rows.map(({ error_message }) => error_message)),
    responses: arrayText(rows.map(({ response }) => response)),
  };
}
