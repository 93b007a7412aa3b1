import type { Connection } from "../postgres/connect.ts";
import type { DisabledReason } from "./endpoints.ts";

export interface DisabledEndpoint {
  organization_id: string;
  endpoint_id: string;
}

/** An endpoint that this call disabled. */
export interface EndpointDisabling extends DisabledEndpoint {
  disabled_at: Date;
  disabled_reason: "gone" | "failing" | "secret";
}

/** Disables an endpoint that answered 410 Gone; null if it was disabled already. */
export async function disableGone(
  sql: Connection,
  { organization_id, endpoint_id }: DisabledEndpoint,
): Promise<EndpointDisabling | null> {
  const [row] = await sql<EndpointDisabling[]>`
    update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'gone'
    where organization_id = ${organization_id} and id = ${endpoint_id} and enabled
    returning organization_id, id as endpoint_id, disabled_at, disabled_reason`;
  return row ?? null;
}

/** Disables an endpoint with unreadable secrets in this version (null: in any); null if it was disabled or changed since. */
export async function disableUnreadable(
  sql: Connection,
  { organization_id, endpoint_id, version }: DisabledEndpoint & { version: string | null },
): Promise<EndpointDisabling | null> {
  const [row] = await sql<EndpointDisabling[]>`
    update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'secret'
    where organization_id = ${organization_id} and id = ${endpoint_id} and enabled
      and (${version}::text is null or xmin::text = ${version})
    returning organization_id, id as endpoint_id, disabled_at, disabled_reason`;
  return row ?? null;
}

/** Disables the endpoints on which every attempt has failed for `days`. */
export async function disableFailing(sql: Connection, days: number): Promise<EndpointDisabling[]> {
  return await sql<EndpointDisabling[]>`
    update endpoints endpoint set enabled = false, disabled_at = now(), disabled_reason = 'failing'
    from endpoint_health health
    where health.last_failed_at >= health.failing_since + make_interval(days => ${days})
      and endpoint.organization_id = health.organization_id and endpoint.id = health.endpoint_id
      and endpoint.enabled
    returning endpoint.organization_id, endpoint.id as endpoint_id, endpoint.disabled_at,
      endpoint.disabled_reason`;
}

/** The data of a mail about a disabled endpoint. */
export interface EndpointNotice {
  url: string;
  disabled_reason: DisabledReason;
  disabled_at: Date;
}

/** Null: the endpoint is enabled again, or deleted. */
export async function findEndpointNotice(
  sql: Connection,
  { organization_id, endpoint_id }: DisabledEndpoint,
): Promise<EndpointNotice | null> {
  const [row] = await sql<EndpointNotice[]>`
    select url, disabled_reason, disabled_at from endpoints
    where organization_id = ${organization_id} and id = ${endpoint_id} and not enabled`;
  return row ?? null;
}
