import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { ApiKeyRow } from "./api-keys.ts";
import type { InvitationRow } from "./invitations.ts";
import type { MemberRow } from "./members.ts";

/* Keys, endpoints and invitations that a member made, in person or by keys. */

/** The organization, and the one with its test data. */
export async function listOwnOrganizations(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from organizations
    where id = ${organizationId} or (test_of = ${organizationId} and removed_at is null) order by test_of nulls first`;
  return rows.map(({ id }) => id);
}

const KEYS = (lock: string) =>
  statement<ApiKeyRow, "organization_id" | "user_id">(`
  with recursive made as (
    select id from api_keys
    where organization_id = :organization_id::uuid and created_by = 'user ' || :user_id::uuid
    union
    select made_by_key.id from made join api_keys made_by_key
      on made_by_key.organization_id = :organization_id::uuid and made_by_key.created_by = 'key ' || made.id
  )
  select organization_id, id, kind, name, last_four, publishable_key, scopes, created_at, last_used_at, expires_at,
    revoked_at
  from api_keys
  where organization_id = :organization_id::uuid and id in (select id from made)
  order by id desc ${lock}`);

const LIST_KEYS = KEYS("");
const LOCK_KEYS = KEYS("for no key update");

/** The keys that a member made, and those that were made with these keys, and so on; ended ones, too. The newest first. */
export async function listMadeKeys(
  sql: Connection,
  organizationId: string,
  userId: string,
): Promise<ApiKeyRow[]> {
  return await LIST_KEYS.run(sql, { organization_id: organizationId, user_id: userId });
}

/** The same, locked until the transaction ends. It waits for changes with these keys, which may have made further ones. */
export async function lockMadeKeys(
  sql: Connection,
  organizationId: string,
  userId: string,
): Promise<ApiKeyRow[]> {
  return await LOCK_KEYS.run(sql, { organization_id: organizationId, user_id: userId });
}

/** An enabled endpoint. */
export interface MadeEndpointRow {
  id: string;
  url: string;
  description: string;
}

const ENDPOINTS = statement<MadeEndpointRow, "organization_id" | "actors">(`
  select id, url, description from endpoints endpoint
  where organization_id = :organization_id::uuid and enabled and exists (
    select from audit_log_entries
    where organization_id = :organization_id::uuid and resource = 'endpoint' and resource_id = endpoint.id::text
      and actor = any (:actors::text[]) and after ->> 'url' = endpoint.url)
  order by id desc`);

/** The enabled endpoints with a URL that one of these actors set. An organization has few. */
export async function listMadeEndpoints(
  sql: Connection,
  organizationId: string,
  actors: readonly string[],
): Promise<MadeEndpointRow[]> {
  return await ENDPOINTS.run(sql, { organization_id: organizationId, actors: [...actors] });
}

/** The unfinished jobs that one of these actors started. An organization has few. */
export async function listMadeJobs(
  sql: Connection,
  organizationId: string,
  actors: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from jobs
    where organization_id = ${organizationId} and due_at is not null and started_by = any (${[...actors]}::text[])
    order by id`;
  return rows.map(({ id }) => id);
}

/** The open invitations to these roles that a member sent, expired ones, too. */
export async function listMadeInvitations(
  sql: Connection,
  organizationId: string,
  { user_id, roles }: { user_id: string; roles: readonly MemberRow["role"][] },
): Promise<InvitationRow[]> {
  return await sql<InvitationRow[]>`
    select organization_id, id, email, role, mailed, invited_by, created_at, expires_at from invitations
    where organization_id = ${organizationId} and invited_by = ${user_id} and role = any (${[...roles]}::text[])
      and accepted_at is null and revoked_at is null
    order by id`;
}
