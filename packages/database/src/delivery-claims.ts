import type { Connection } from "./connect.ts";
import { statement } from "./statement.ts";

/** Identifies a delivery: the event, and the endpoint that it goes to. */
export interface DeliveryKey {
  organization_id: string;
  event_id: string;
  endpoint_id: string;
}

/** A delivery that a worker has to itself. */
export interface ClaimedDelivery extends DeliveryKey {
  /** The name that it was claimed under. */
  worker_id: string;
  /** Failed attempts since its schedule began. */
  failures: number;
  /** The bytes to send. */
  body: string;
  /** The endpoint's, as it is now; null: it is gone. Another one: it was changed. */
  endpoint_version: string | null;
  /** Failed attempts to the endpoint in a row. */
  endpoint_failures: number;
}

/**
 * Claims the rows of a `select ctid … for update`. As an array they are looked up one by one; joined, the
 * planner would read the whole table while it is small. A row that was changed meanwhile is passed over, and
 * found by the next claim. A claim need not be on disk: should Postgres crash, its deliveries are due again.
 */
function claim(rows: string): string {
  return `
  with claimed as (
    update deliveries set state = 'sending', claimed_by = :worker_id::uuid, next_attempt_at = null
    where ctid = any (array(${rows}))
      and (select set_config('synchronous_commit', 'off', true)) is not null
    returning organization_id, event_id, endpoint_id, failures
  )
  select claimed.*, event.body, endpoint.xmin::text as endpoint_version,
    coalesce(health.failures, 0) as endpoint_failures
  from claimed
  join events event on event.organization_id = claimed.organization_id and event.id = claimed.event_id
  left join endpoints endpoint
    on endpoint.organization_id = claimed.organization_id and endpoint.id = claimed.endpoint_id
  left join endpoint_health health
    on health.organization_id = claimed.organization_id and health.endpoint_id = claimed.endpoint_id`;
}

type ClaimedRow = Omit<ClaimedDelivery, "worker_id">;

function claimedBy(worker_id: string, rows: ClaimedRow[]): ClaimedDelivery[] {
  return rows.map(({ organization_id, event_id, endpoint_id, ...row }) => ({
    organization_id,
    event_id,
    endpoint_id,
    worker_id,
    failures: row.failures,
    body: row.body,
    endpoint_version: row.endpoint_version,
    endpoint_failures: row.endpoint_failures,
  }));
}

const CLAIM_DUE = statement<ClaimedRow, "worker_id" | "limit">(
  claim(`
    select ctid from deliveries
    where next_attempt_at <= now()
    order by next_attempt_at limit :limit::int for update skip locked`),
);

/** Claims deliveries of any endpoint that are due, longest due first, passing over what others claim now. */
export async function claimDue(
  sql: Connection,
  { worker_id, limit }: { worker_id: string; limit: number },
): Promise<ClaimedDelivery[]> {
  return claimedBy(worker_id, await CLAIM_DUE.run(sql, { worker_id, limit }));
}

const CLAIM_WAITING = statement<ClaimedRow, "worker_id" | "organization_id" | "endpoint_id" | "limit">(
  claim(`
    select ctid from deliveries
    where organization_id = :organization_id::uuid and endpoint_id = :endpoint_id::uuid and state = 'waiting'
    order by event_id limit :limit::int for update skip locked`),
);

/** Claims deliveries that wait in an endpoint's line, oldest event first. */
export async function claimWaiting(
  sql: Connection,
  { organization_id, endpoint_id }: { organization_id: string; endpoint_id: string },
  { worker_id, limit }: { worker_id: string; limit: number },
): Promise<ClaimedDelivery[]> {
  return claimedBy(
    worker_id,
    await CLAIM_WAITING.run(sql, { organization_id, endpoint_id, worker_id, limit }),
  );
}

/** Columns of a `DeliveryKey` as JSON. */
const KEY = "organization_id uuid, event_id uuid, endpoint_id uuid";

const GIVE_BACK = statement<object, "worker_id" | "keys">(`
  update deliveries delivery set state = 'scheduled', claimed_by = null, next_attempt_at = now()
  from json_to_recordset(:keys::text::json) as key (${KEY})
  where delivery.organization_id = key.organization_id and delivery.event_id = key.event_id
    and delivery.endpoint_id = key.endpoint_id and delivery.claimed_by = :worker_id::uuid`);

/** Makes claimed deliveries due for whoever comes next. */
export async function giveBack(
  sql: Connection,
  { worker_id, deliveries }: { worker_id: string; deliveries: DeliveryKey[] },
): Promise<void> {
  await GIVE_BACK.run(sql, { worker_id, keys: keysOf(deliveries) });
}

const LINE_UP = statement<object, "worker_id" | "keys" | "look_again_at">(`
  with key as materialized (select * from json_to_recordset(:keys::text::json) as key (${KEY})),
  line as (
    insert into endpoint_health as health (organization_id, endpoint_id, line_due_at)
    select key.organization_id, key.endpoint_id, :look_again_at::timestamptz
    from (select distinct organization_id, endpoint_id from key order by 1, 2) as key
    -- An endpoint that was deleted has no line.
    join endpoints endpoint on endpoint.organization_id = key.organization_id and endpoint.id = key.endpoint_id
    on conflict (organization_id, endpoint_id) do update
      set line_due_at = coalesce(health.line_due_at, excluded.line_due_at)
  )
  update deliveries delivery set claimed_by = null,
    state = case when endpoint.id is null then 'canceled' else 'waiting' end
  from key
  left join endpoints endpoint
    on endpoint.organization_id = key.organization_id and endpoint.id = key.endpoint_id
  where delivery.organization_id = key.organization_id and delivery.event_id = key.event_id
    and delivery.endpoint_id = key.endpoint_id and delivery.claimed_by = :worker_id::uuid`);

/**
 * Puts claimed deliveries into their endpoints' lines, which are looked at again at `look_again_at`, or when
 * they were to be looked at anyhow.
 */
export async function lineUp(
  sql: Connection,
  {
    worker_id,
    deliveries,
    look_again_at,
  }: { worker_id: string; deliveries: DeliveryKey[]; look_again_at: Date },
): Promise<void> {
  await LINE_UP.run(sql, { worker_id, keys: keysOf(deliveries), look_again_at });
}

function keysOf(deliveries: DeliveryKey[]): string {
  return JSON.stringify(
    deliveries.map(({ organization_id, event_id, endpoint_id }) => ({
      organization_id,
      event_id,
      endpoint_id,
    })),
  );
}
