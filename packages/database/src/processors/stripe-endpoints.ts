import type { Connection } from "../postgres/connect.ts";
import type { EndpointState, ProcessorRow } from "./processors.ts";

/** Sets the state of the endpoint at Stripe that the service creates, and clears the former error. */
export async function setEndpointState(
  sql: Connection,
  organizationId: string,
  state: EndpointState,
): Promise<void> {
  await sql`
    update processors set endpoint_state = ${state}, endpoint_error = null
    where organization_id = ${organizationId} and name = 'stripe'`;
}

/** The result of a check of the endpoint, or of an attempt to create or delete it. */
export interface EndpointResult {
  /** The state that the work began in. */
  from: EndpointState;
  /** The key that it used. */
  api_key_encrypted: Buffer | null;
  state: EndpointState;
  error: string | null;
  /** Null: unknown. */
  missing_events: string[] | null;
}

/** Records a result, unless somebody changed the state or the key during the work, as by disconnecting. */
export async function writeEndpointResult(
  sql: Connection,
  organizationId: string,
  { from, api_key_encrypted, state, error, missing_events }: EndpointResult,
): Promise<void> {
  await sql`
    update processors set endpoint_state = ${state}, endpoint_error = ${error}, missing_events = ${missing_events},
      events_check_error = ${error}, events_checked_at = now()
    where organization_id = ${organizationId} and name = 'stripe' and endpoint_state = ${from}
      and api_key_encrypted is not distinct from ${api_key_encrypted}::bytea`;
}

/** Records the rights that the API key lacks, if it is still the key that was checked. */
export async function writeMissingRights(
  sql: Connection,
  organizationId: string,
  { api_key_encrypted, missing_rights }: { api_key_encrypted: Buffer; missing_rights: string[] },
): Promise<void> {
  await sql`
    update processors set missing_rights = ${missing_rights}, rights_checked_at = now()
    where organization_id = ${organizationId} and name = 'stripe' and api_key_encrypted = ${api_key_encrypted}`;
}

/** The rights of another key, or of none, are unknown. */
export async function clearMissingRights(sql: Connection, organizationId: string): Promise<void> {
  await sql`
    update processors set missing_rights = null, rights_checked_at = null
    where organization_id = ${organizationId} and name = 'stripe'`;
}

/**
 * Replaces the id of the creation with an unknown result: by a new id before a creation, by null after Stripe
 * rejected it. Returns false if another process has replaced it, or if the connection has another key or is
 * gone.
 */
export async function replaceEndpointRequest(
  sql: Connection,
  organizationId: string,
  {
    api_key_encrypted,
    from,
    to,
    url,
  }: { api_key_encrypted: Buffer | null; from: string | null; to: string | null; url: string },
): Promise<boolean> {
  const result = await sql`
    update processors set endpoint_request_id = ${to}, endpoint_url = ${url}
    where organization_id = ${organizationId} and name = 'stripe' and endpoint_state is not null
      and endpoint_request_id is not distinct from ${from}::uuid
      and api_key_encrypted is not distinct from ${api_key_encrypted}::bytea`;
  return result.count > 0;
}

/**
 * Stores an endpoint that the request created, with its secret. A connection that is being disconnected keeps that
 * state, and its endpoint is deleted next. False: it was another request's.
 */
export async function storeEndpoint(
  sql: Connection,
  organizationId: string,
  endpoint: { request_id: string; id: string; url: string; secret_encrypted: Buffer },
): Promise<boolean> {
  const result = await sql`
    update processors set endpoint_id = ${endpoint.id}, endpoint_url = ${endpoint.url},
      secret_encrypted = ${endpoint.secret_encrypted}, previous_secret_encrypted = null,
      previous_secret_expires_at = null, endpoint_request_id = null, endpoint_error = null,
      endpoint_state = case when endpoint_state in ('deleting', 'undeletable') then endpoint_state else 'active' end,
      missing_events = '{}', events_check_error = null, events_checked_at = now()
    where organization_id = ${organizationId} and name = 'stripe' and endpoint_request_id = ${endpoint.request_id}`;
  return result.count > 0;
}

/** Records the address of the stored endpoint after an update at Stripe. */
export async function writeEndpointUrl(
  sql: Connection,
  organizationId: string,
  { endpoint_id, url }: { endpoint_id: string; url: string },
): Promise<void> {
  await sql`
    update processors set endpoint_url = ${url}
    where organization_id = ${organizationId} and name = 'stripe' and endpoint_id = ${endpoint_id}`;
}

/** Deletes a connection when its endpoint is gone at Stripe, unless it was connected again. */
export async function deleteDisconnected(sql: Connection, row: ProcessorRow): Promise<void> {
  await sql`
    delete from processors where organization_id = ${row.organization_id} and name = 'stripe'
      and endpoint_state in ('deleting', 'undeletable')
      and endpoint_id is not distinct from ${row.endpoint_id}`;
}

/** Whether an organization has campaigns that use promotion codes at Stripe. */
export async function usesPromoCodes(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await sql<[{ uses: boolean }]>`
    select exists (
      select from campaigns where organization_id = ${organizationId} and code_mode <> 'link'
        and reference_coupon is not null) as uses`;
  return row.uses;
}
