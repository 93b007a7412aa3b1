import type { OrganizationRow } from "../organizations/organizations.ts";
import type { Connection } from "../postgres/connect.ts";
import { POLICY_OF_ORGANIZATION } from "./security-policies.ts";

export interface ApiKeyRow {
  organization_id: string;
  id: string;
  kind: "secret" | "publishable";
  name: string;
  last_four: string;
  /** The key itself; null for a secret key, which is stored only as a hash. */
  publishable_key: string | null;
  scopes: ("read" | "write" | "view" | "admin" | "audit" | "track")[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface NewApiKey extends Omit<ApiKeyRow, "last_used_at" | "revoked_at"> {
  /** SHA-256 of the key. */
  hash: Buffer;
  /** The actor, as in the audit log. */
  created_by: string;
}

/** A key with the name of its author. */
export interface ApiKeyListRow extends ApiKeyRow {
  created_by: string;
  /** The name of a user or key; null for other authors, and for users who were deleted. */
  created_by_name: string | null;
}

/** A key that is not revoked, and its organization. */
export interface ApiKeyWithOrganizationRow {
  id: string;
  scopes: ApiKeyRow["scopes"];
  expires_at: Date | null;
  organization_id: string;
  currency: string;
  subscription_status: OrganizationRow["subscription_status"];
  /** Where requests with it come from, as CIDR; empty or null: anywhere, as with each publishable key. */
  networks: string[] | null;
}

export async function insertApiKey(sql: Connection, key: NewApiKey): Promise<void> {
  await sql`insert into api_keys ${sql({ ...key })}`;
}

/** The only look-up without an organization id: the key determines the organization. */
export async function findApiKeyByHash(
  sql: Connection,
  hash: Buffer,
): Promise<ApiKeyWithOrganizationRow | null> {
  const [row] = await sql<ApiKeyWithOrganizationRow[]>`
    select api_key.id, api_key.scopes, api_key.expires_at, api_key.organization_id,
      organization.currency, organization.subscription_status,
      case when api_key.kind = 'secret' then policy.key_networks::text[] end as networks
    from api_keys api_key
    join organizations organization on organization.id = api_key.organization_id
    ${sql.unsafe(POLICY_OF_ORGANIZATION)}
    where api_key.hash = ${hash} and api_key.revoked_at is null`;
  return row ?? null;
}

/** Keys of all organizations, for the operator, in the order of their creation, after the id `after`. */
export async function listApiKeys(
  sql: Connection,
  filter: { organization_id: string | null; after: string | null; limit: number },
): Promise<ApiKeyRow[]> {
  const { organization_id, after, limit } = filter;
  return await sql<ApiKeyRow[]>`
    select organization_id, id, kind, name, last_four, publishable_key, scopes, created_at, last_used_at,
      expires_at, revoked_at
    from api_keys
    where (${organization_id}::uuid is null or organization_id = ${organization_id})
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`;
}

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** An organization's keys with the names of their authors, newest first, below the id `below`. */
export async function listApiKeyRows(
  sql: Connection,
  organizationId: string,
  { is_revoked, below, limit }: { is_revoked: boolean; below: string | null; limit: number },
): Promise<ApiKeyListRow[]> {
  return await sql<ApiKeyListRow[]>`
    select page.organization_id, page.id, page.kind, page.name, page.last_four, page.publishable_key, page.scopes,
      page.created_at, page.last_used_at, page.expires_at, page.revoked_at, page.created_by,
      case
        when page.created_by ~ ${`^key ${UUID}$`} then (
          select author.name from api_keys author
          where author.organization_id = ${organizationId} and author.id = right(page.created_by, 36)::uuid)
        when page.created_by ~ ${`^user ${UUID}$`} then (
          select users.name from users where users.id = right(page.created_by, 36)::uuid)
      end as created_by_name
    from api_keys page
    where page.organization_id = ${organizationId} and (page.revoked_at is not null) = ${is_revoked}
      and (${below}::uuid is null or page.id < ${below})
    order by page.id desc limit ${limit}`;
}

/** Sets when a key expires. */
export async function expireApiKey(
  sql: Connection,
  organizationId: string,
  { id, expires_at }: { id: string; expires_at: Date },
): Promise<void> {
  await sql`
    update api_keys set expires_at = ${expires_at}
    where organization_id = ${organizationId} and id = ${id}`;
}

/** Returns a key, locked until the transaction ends. Without an organization (null) for the operator only. */
export async function lockApiKey(
  sql: Connection,
  organizationId: string | null,
  id: string,
): Promise<ApiKeyRow | null> {
  const [row] = await sql<ApiKeyRow[]>`
    select organization_id, id, kind, name, last_four, publishable_key, scopes, created_at, last_used_at,
      expires_at, revoked_at
    from api_keys
    where id = ${id} and (${organizationId}::uuid is null or organization_id = ${organizationId})
    for no key update`;
  return row ?? null;
}

/** Returns a key, which is neither revoked nor changed until the transaction ends. Others can hold it, too. */
export async function holdApiKey(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow | null> {
  const [row] = await sql<ApiKeyRow[]>`
    select organization_id, id, kind, name, last_four, publishable_key, scopes, created_at, last_used_at,
      expires_at, revoked_at
    from api_keys where organization_id = ${organizationId} and id = ${id} for share`;
  return row ?? null;
}

/** Revokes a key. */
export async function revokeApiKey(
  sql: Connection,
  organizationId: string,
  { id, revoked_at }: { id: string; revoked_at: Date },
): Promise<void> {
  await sql`
    update api_keys set revoked_at = ${revoked_at}
    where organization_id = ${organizationId} and id = ${id}`;
}

/** Stores when a key was last used, at most once a minute across all processes. */
export async function touchApiKey(
  sql: Connection,
  organizationId: string,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${used_at}
    where organization_id = ${organizationId} and id = ${id}
      and (last_used_at is null or last_used_at < ${used_at}::timestamptz - interval '1 minute')`;
}
