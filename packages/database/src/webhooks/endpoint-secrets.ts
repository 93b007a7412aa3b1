import type { Connection } from "../postgres/connect.ts";

/** A valid signing secret. */
export interface EndpointSecretRow {
  endpoint_id: string;
  id: string;
  secret_encrypted: Buffer;
  created_at: Date;
  /** Null: it is the current secret. */
  expires_at: Date | null;
}

export type NewEndpointSecret = Pick<EndpointSecretRow, "id" | "secret_encrypted" | "created_at">;

/** Returns the valid secrets of one endpoint, or of all (null), newest first. */
export async function listEndpointSecrets(
  sql: Connection,
  organizationId: string,
  endpoint_id: string | null,
): Promise<EndpointSecretRow[]> {
  return await sql<EndpointSecretRow[]>`
    select endpoint_id, id, secret_encrypted, created_at, expires_at from endpoint_secrets
    where organization_id = ${organizationId} ${endpoint_id === null ? sql`` : sql`and endpoint_id = ${endpoint_id}`}
      and (expires_at is null or expires_at > now())
    order by expires_at desc nulls first, created_at desc, id desc`;
}

/** Inserts the first secret of an endpoint. */
export async function insertEndpointSecret(
  sql: Connection,
  organizationId: string,
  { endpoint_id, secret }: { endpoint_id: string; secret: NewEndpointSecret },
): Promise<void> {
  await sql`insert into endpoint_secrets ${sql({ ...secret, organization_id: organizationId, endpoint_id })}`;
}

/** Inserts a new current secret; the previous one expires after `overlap_seconds`, earlier ones at their own times. */
export async function rotateEndpointSecret(
  sql: Connection,
  organizationId: string,
  {
    endpoint_id,
    secret,
    overlap_seconds,
  }: { endpoint_id: string; secret: NewEndpointSecret; overlap_seconds: number },
): Promise<void> {
  await sql`
    update endpoint_secrets set expires_at = now() + make_interval(secs => ${overlap_seconds})
    where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and expires_at is null`;
  await sql`
    delete from endpoint_secrets
    where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and expires_at <= now()`;
  await insertEndpointSecret(sql, organizationId, { endpoint_id, secret });
  await renewVersion(sql, organizationId, endpoint_id);
}

/** Deletes a previous secret before it expires. */
export async function deleteFormerSecret(
  sql: Connection,
  organizationId: string,
  { endpoint_id, id }: { endpoint_id: string; id: string },
): Promise<void> {
  await sql`
    delete from endpoint_secrets
    where organization_id = ${organizationId} and endpoint_id = ${endpoint_id} and id = ${id}
      and expires_at is not null`;
  await renewVersion(sql, organizationId, endpoint_id);
}

/** Changes the version of the endpoint's row, so that workers read the endpoint and its secrets again. */
async function renewVersion(sql: Connection, organizationId: string, endpoint_id: string): Promise<void> {
  await sql`
    update endpoints set enabled = enabled where organization_id = ${organizationId} and id = ${endpoint_id}`;
}

/** Deletes expired secrets, at most `limit`; returns how many. */
export async function deleteExpiredSecrets(sql: Connection, limit: number): Promise<number> {
  const { count } = await sql`
    delete from endpoint_secrets where ctid = any (array(
      select ctid from endpoint_secrets where expires_at <= now() limit ${limit} for update skip locked))`;
  return count;
}
