import type { Connection, Transaction } from "../postgres/connect.ts";

export type ProcessorName = "stripe" | "generic";

/** The connection of a payment processor to an organization. */
export interface ProcessorRow {
  organization_id: string;
  name: ProcessorName;
  /** Null until the service has created the webhook endpoint. */
  secret_encrypted: Buffer | null;
  previous_secret_encrypted: Buffer | null;
  previous_secret_expires_at: Date | null;
  api_key_encrypted: Buffer | null;
  api_key_last_four: string | null;
  livemode: boolean;
  /** Connect accounts (`acct_…`) with events that are processed like those of the organization's own account. */
  connected_accounts: string[];
  created_at: Date;
  reconciled_at: Date | null;
  events_checked_at: Date | null;
  /** Required event types that the processor does not send; null: unknown. */
  missing_events: string[] | null;
  /** The reason that the last check of the event types failed. */
  events_check_error: string | null;
  /** Of the webhook endpoint that the service created; null: a person created it. */
  endpoint_state: EndpointState | null;
  endpoint_id: string | null;
  endpoint_url: string | null;
  endpoint_error: string | null;
  /** Identifies a creation with an unknown result. */
  endpoint_request_id: string | null;
  /** The rights that the API key lacks; null: unknown. */
  missing_rights: string[] | null;
  rights_checked_at: Date | null;
}

/** `creating`, `deleting`: a job does so. `failed`, `undeletable`: it could not. Others are results of checks. */
export type EndpointState =
  | "creating"
  | "active"
  | "events_missing"
  | "disabled"
  | "deleted"
  | "moved"
  | "failed"
  | "deleting"
  | "undeletable";

export type NewProcessor = Pick<
  ProcessorRow,
  | "name"
  | "secret_encrypted"
  | "api_key_encrypted"
  | "api_key_last_four"
  | "livemode"
  | "connected_accounts"
  | "created_at"
  | "endpoint_state"
>;

const COLUMNS = `organization_id, name, secret_encrypted, previous_secret_encrypted, previous_secret_expires_at,
  api_key_encrypted, api_key_last_four, livemode, connected_accounts, created_at, reconciled_at,
  events_checked_at, missing_events, events_check_error,
  endpoint_state, endpoint_id, endpoint_url, endpoint_error, endpoint_request_id, missing_rights, rights_checked_at`;

/** False: it is connected already. */
export async function insertProcessor(
  sql: Connection,
  organizationId: string,
  processor: NewProcessor,
): Promise<boolean> {
  const result = await sql`
    insert into processors ${sql({ ...processor, organization_id: organizationId })} on conflict do nothing`;
  return result.count > 0;
}

export async function findProcessor(
  sql: Connection,
  organizationId: string,
  name: ProcessorName,
): Promise<ProcessorRow | null> {
  const [row] = await sql.unsafe<ProcessorRow[]>(
    `select ${COLUMNS} from processors where organization_id = $1 and name = $2`,
    [organizationId, name],
    { prepare: true },
  );
  return row ?? null;
}

/** Same as `findProcessor`, locked until the transaction ends. */
export async function lockProcessor(
  sql: Connection,
  organizationId: string,
  name: ProcessorName,
): Promise<ProcessorRow | null> {
  const [row] = await sql.unsafe<ProcessorRow[]>(
    `select ${COLUMNS} from processors where organization_id = $1 and name = $2 for update`,
    [organizationId, name],
  );
  return row ?? null;
}

/** A connection with how it fares. */
export interface ConnectionRow extends ProcessorRow {
  reconcile_requested_at: Date | null;
  reconciled_events: number | null;
  reconcile_error: string | null;
  refused_at: Date | null;
  refused_reason: string | null;
  last_type: string | null;
  last_received_at: Date | null;
}

export async function listProcessors(sql: Connection, organizationId: string): Promise<ConnectionRow[]> {
  return await sql.unsafe<ConnectionRow[]>(
    `select ${COLUMNS}, reconcile_requested_at, reconciled_events, reconcile_error, refused_at, refused_reason,
      last.type as last_type, last.received_at as last_received_at
    from processors
    left join lateral (
      select type, received_at from processor_messages
      where organization_id = $1 and processor = processors.name
      order by received_at desc, id desc limit 1
    ) as last on true
    where organization_id = $1 order by name`,
    [organizationId],
  );
}

/** Records that a message was refused, unless one was within the last seconds. */
export async function writeRejection(
  sql: Connection,
  organizationId: string,
  { name, reason }: { name: ProcessorName; reason: string },
): Promise<void> {
  await sql`
    update processors set refused_at = now(), refused_reason = ${reason}
    where organization_id = ${organizationId} and name = ${name}
      and (refused_at is null or refused_at < now() - interval '10 seconds')`;
}

/** Returns the connected accounts of an organization's Stripe connection; none without a connection. */
export async function findConnectedAccounts(sql: Connection, organizationId: string): Promise<string[]> {
  const [row] = await sql<[{ connected_accounts: string[] }?]>`
    select connected_accounts from processors where organization_id = ${organizationId} and name = 'stripe'`;
  return row?.connected_accounts ?? [];
}

/** Returns connections to a processor that have an API key, by organization, after `after`. */
export async function listProcessorsWithKey(
  sql: Connection,
  { name, after, limit }: { name: ProcessorName; after: string | null; limit: number },
): Promise<ProcessorRow[]> {
  return await sql.unsafe<ProcessorRow[]>(
    `select ${COLUMNS} from processors
    where name = $1 and api_key_encrypted is not null and ($2::uuid is null or organization_id > $2::uuid)
    order by organization_id limit $3`,
    [name, after, limit],
  );
}

export type ProcessorChanges = Pick<
  ProcessorRow,
  "api_key_encrypted" | "api_key_last_four" | "livemode" | "connected_accounts"
>;

export async function updateProcessor(
  sql: Connection,
  organizationId: string,
  { name, values }: { name: ProcessorName; values: ProcessorChanges },
): Promise<void> {
  await sql`
    update processors set ${sql(values as never)} where organization_id = ${organizationId} and name = ${name}`;
}

/** Replaces the secret; the previous one stays valid until `previous_expires_at`. */
export async function rotateProcessorSecret(
  sql: Connection,
  organizationId: string,
  {
    name,
    secret_encrypted,
    previous_expires_at,
  }: { name: ProcessorName; secret_encrypted: Buffer; previous_expires_at: Date },
): Promise<void> {
  await sql`
    update processors set previous_secret_encrypted = secret_encrypted,
      previous_secret_expires_at = ${previous_expires_at}, secret_encrypted = ${secret_encrypted}
    where organization_id = ${organizationId} and name = ${name}`;
}

export async function deleteProcessor(
  sql: Connection,
  organizationId: string,
  name: ProcessorName,
): Promise<void> {
  await sql`delete from processors where organization_id = ${organizationId} and name = ${name}`;
}

export type EventsCheck = Pick<ProcessorRow, "events_checked_at" | "missing_events" | "events_check_error">;

/** Records which event types the processor does not send. Returns whether something is wrong that was not so before. */
export async function writeEventsCheck(
  sql: Transaction,
  organizationId: string,
  { name, check }: { name: ProcessorName; check: EventsCheck },
): Promise<boolean> {
  const [row] = await sql<[{ is_worse: boolean }?]>`
    with former as (
      select missing_events, events_check_error from processors
      where organization_id = ${organizationId} and name = ${name}
      for update
    )
    update processors set events_checked_at = ${check.events_checked_at}, missing_events = ${check.missing_events},
      events_check_error = ${check.events_check_error}
    from former
    where organization_id = ${organizationId} and name = ${name}
    returning
      processors.events_check_error is not null
        and processors.events_check_error is distinct from former.events_check_error
      or cardinality(coalesce(processors.missing_events, '{}')) > 0
        and processors.missing_events is distinct from former.missing_events as is_worse`;
  return row?.is_worse ?? false;
}
