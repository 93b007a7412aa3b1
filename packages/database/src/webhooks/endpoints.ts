import type { Connection } from "../postgres/connect.ts";
import {
  type EndpointSecretRow,
  insertEndpointSecret,
  listEndpointSecrets,
  type NewEndpointSecret,
} from "./endpoint-secrets.ts";

/** The fields of an endpoint that its owner sets. */
export interface EndpointSettings {
  url: string;
  /** Null: every type, including types of later versions. */
  event_types: string[] | null;
  description: string;
  /** Null: no limit. */
  requests_per_second: number | null;
  /** One delivery at a time, oldest event first. */
  ordered: boolean;
  /** Null: events of all campaigns, and events without a campaign. */
  campaign_ids: string[] | null;
  custom_headers: CustomHeaderRow[];
  /** The header values by name, as encrypted JSON; null: no custom headers. */
  custom_headers_encrypted: Buffer | null;
}

/** A custom header without its value. */
export interface CustomHeaderRow {
  name: string;
  /** ISO 8601. */
  updated_at: string;
}

export interface NewEndpoint extends EndpointSettings {
  id: string;
  enabled: boolean;
  created_at: Date;
  secret: Omit<NewEndpointSecret, "created_at">;
}

/** Inserts an endpoint with its first secret, in the transaction of `sql`. */
export async function insertEndpoint(
  sql: Connection,
  organizationId: string,
  { id, enabled, created_at, secret, ...settings }: NewEndpoint,
): Promise<void> {
  await sql`
    insert into endpoints (organization_id, id, url, description, enabled, created_at)
    values (${organizationId}, ${id}, ${settings.url}, ${settings.description}, ${enabled}, ${created_at})`;
  await updateEndpoint(sql, organizationId, { id, settings });
  await insertEndpointSecret(sql, organizationId, { endpoint_id: id, secret: { ...secret, created_at } });
}

export type DisabledReason = "operator" | "gone" | "failing" | "secret";

export interface EndpointRow extends EndpointSettings {
  organization_id: string;
  id: string;
  enabled: boolean;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  created_at: Date;
  /** The valid secrets, newest first. */
  secrets: EndpointSecretRow[];
}

const COLUMNS = `endpoint.organization_id, endpoint.id, endpoint.url, endpoint.event_types, endpoint.description,
  endpoint.requests_per_second, endpoint.ordered, endpoint.campaign_ids, endpoint.custom_headers,
  endpoint.custom_headers_encrypted, endpoint.enabled, endpoint.disabled_at, endpoint.disabled_reason, health.failing_since, endpoint.created_at`;

const SELECT = `select ${COLUMNS} from endpoints endpoint
  left join endpoint_health health
    on health.organization_id = endpoint.organization_id and health.endpoint_id = endpoint.id`;

export async function findEndpoint(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<EndpointRow | null> {
  return await readOne(sql, organizationId, { id, lock: "" });
}

/** Same as `findEndpoint`, locked until the transaction ends. */
export async function lockEndpoint(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<EndpointRow | null> {
  return await readOne(sql, organizationId, { id, lock: "for update of endpoint" });
}

/** Returns which of these endpoints exist and are enabled; they stay so until the transaction ends. */
export async function holdEndpoints(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; enabled: boolean }[]> {
  return await sql<{ id: string; enabled: boolean }[]>`
    select id, enabled from endpoints
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
    order by id for share`;
}

async function readOne(
  sql: Connection,
  organizationId: string,
  { id, lock }: { id: string; lock: "" | "for update of endpoint" },
): Promise<EndpointRow | null> {
  const [row] = await sql.unsafe<Omit<EndpointRow, "secrets">[]>(
    `${SELECT} where endpoint.organization_id = $1 and endpoint.id = $2 ${lock}`,
    [organizationId, id],
  );
  // Read after the lock, so that a rotation that held it is included.
  return row === undefined ? null : { ...row, secrets: await listEndpointSecrets(sql, organizationId, id) };
}

/** Returns an organization's endpoints, newest first. Their number is small. */
export async function listEndpoints(sql: Connection, organizationId: string): Promise<EndpointRow[]> {
  const rows = await sql.unsafe<Omit<EndpointRow, "secrets">[]>(
    `${SELECT} where endpoint.organization_id = $1 order by endpoint.id desc`,
    [organizationId],
  );
  const secrets = await listEndpointSecrets(sql, organizationId, null);
  return rows.map((row) => ({
    ...row,
    secrets: secrets.filter(({ endpoint_id }) => endpoint_id === row.id),
  }));
}

/** Returns the organization of an endpoint, for the operator, who passes only the endpoint's id. */
export async function findEndpointOwner(sql: Connection, id: string): Promise<string | null> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from endpoints where id = ${id}`;
  return row?.organization_id ?? null;
}

export async function countEndpoints(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from endpoints where organization_id = ${organizationId}`;
  return row.count;
}

export async function updateEndpoint(
  sql: Connection,
  organizationId: string,
  { id, settings }: { id: string; settings: EndpointSettings },
): Promise<void> {
  await sql`
    update endpoints set url = ${settings.url}, event_types = ${settings.event_types}::text[],
      description = ${settings.description}, requests_per_second = ${settings.requests_per_second},
      ordered = ${settings.ordered}, campaign_ids = ${settings.campaign_ids}::uuid[],
      custom_headers = ${JSON.stringify(settings.custom_headers)}::text::jsonb,
      custom_headers_encrypted = ${settings.custom_headers_encrypted}
    where organization_id = ${organizationId} and id = ${id}`;
}

/** Enables an endpoint and resets its failures, or disables it. */
export async function setEndpointEnabled(
  sql: Connection,
  organizationId: string,
  { id, disabled }: { id: string; disabled: { at: Date; reason: DisabledReason } | null },
): Promise<void> {
  await sql`
    update endpoints set enabled = ${disabled === null}, disabled_at = ${disabled?.at ?? null},
      disabled_reason = ${disabled?.reason ?? null}
    where organization_id = ${organizationId} and id = ${id}`;
  if (disabled !== null) return;
  await sql`
    update endpoint_health set failures = 0, failing_since = null, last_failed_at = null
    where organization_id = ${organizationId} and endpoint_id = ${id}`;
}

export async function deleteEndpoint(sql: Connection, organizationId: string, id: string): Promise<void> {
  await sql`delete from endpoints where organization_id = ${organizationId} and id = ${id}`;
}
