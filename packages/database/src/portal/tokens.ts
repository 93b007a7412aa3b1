import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The affiliate of a new token. */
export interface EmbeddableAffiliateRow {
  /** The organization's name in the portal's addresses. */
  slug: string;
  is_test: boolean;
  is_erased: boolean;
}

/** Null: the organization has no such affiliate. */
export async function findEmbeddableAffiliate(
  sql: Connection,
  organizationId: string,
  affiliate_id: string,
): Promise<EmbeddableAffiliateRow | null> {
  const [row] = await sql<EmbeddableAffiliateRow[]>`
    select organization.slug, organization.test_of is not null as is_test,
      affiliate.erased_at is not null as is_erased
    from affiliates affiliate join organizations organization on organization.id = affiliate.organization_id
    where affiliate.organization_id = ${organizationId} and affiliate.id = ${affiliate_id}`;
  return row ?? null;
}

export interface NewPortalToken {
  id: string;
  affiliate_id: string;
  /** The session in the dashboard of the member who views the portal; null: the token opens a frame. */
  user_session_id: string | null;
  /** The API key that made the token of a frame; null: a member views the portal. */
  key_id: string | null;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  created_at: Date;
  expires_at: Date;
}

/** The most tokens that have not expired, used ones included. */
export interface PortalTokenLimits {
  of_affiliate: number;
  of_organization: number;
}

const INSERT = statement<object, keyof NewPortalToken | keyof PortalTokenLimits | "organization_id">(`
  insert into portal_tokens (organization_id, id, affiliate_id, user_session_id, key_id, token_hash, created_at, expires_at)
  select :organization_id::uuid, :id::uuid, :affiliate_id::uuid, :user_session_id::uuid, :key_id::uuid,
    :token_hash::bytea, :created_at::timestamptz, :expires_at::timestamptz
  where :of_affiliate::int > (
      select count(*) from (
        select from portal_tokens
        where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
          and expires_at > :created_at::timestamptz
        limit :of_affiliate::int
      ) as of_affiliate
    ) and :of_organization::int > (
      select count(*) from (
        select from portal_tokens
        where organization_id = :organization_id::uuid and expires_at > :created_at::timestamptz
        limit :of_organization::int
      ) as of_organization
    )
  returning id`);

/** Inserts a token; false: there are too many. Concurrent insertions can exceed the limits by their number. */
export async function insertPortalToken(
  sql: Connection,
  organizationId: string,
  token: NewPortalToken & PortalTokenLimits,
): Promise<boolean> {
  const rows = await INSERT.run(sql, { ...token, organization_id: organizationId });
  return rows.length > 0;
}

/** The affiliate of a token that was used just now. */
export interface UsedPortalTokenRow {
  organization_id: string;
  affiliate_id: string;
  /** In lower case. */
  email: string;
}

const USED = `
  update portal_tokens token set used_at = :now::timestamptz
  from organizations organization, affiliates affiliate
  where token.token_hash = :token_hash::bytea and token.used_at is null and token.expires_at > :now::timestamptz
    and organization.id = token.organization_id
    and affiliate.organization_id = token.organization_id and affiliate.id = token.affiliate_id
    and affiliate.erased_at is null`;

const RETURNED = "returning token.organization_id, token.affiliate_id, lower(affiliate.email) as email";

/** The affiliate in a frame, and the API key that made the token; null: an earlier version made it. */
export interface UsedFrameTokenRow extends UsedPortalTokenRow {
  key_id: string | null;
}

/** SQL: whether the key of a frame's token or session is valid. `owner` has `key_id`, and `organization` is its organization. */
export const KEY_IS_VALID = (owner: string, organization: string) => `(${owner}.key_id is null or exists (
      select from api_keys
      where organization_id = ${organization} and id = ${owner}.key_id and revoked_at is null
        and (expires_at is null or expires_at > now())))`;

const USE = statement<UsedFrameTokenRow, "token_hash" | "slug" | "now">(
  `${USED} and organization.id = organization_named(:slug::text) and token.user_session_id is null
    and ${KEY_IS_VALID("token", "token.organization_id")} ${RETURNED}, token.key_id`,
);

/**
 * Marks a token as used, in the page of its organization. Null: it does not exist, has expired, was used, is of another
 * organization, or its key is not valid any more.
 */
export async function takePortalToken(
  sql: Connection,
  token: { token_hash: Buffer; slug: string; now: Date },
): Promise<UsedFrameTokenRow | null> {
  const [row] = await USE.run(sql, token);
  return row ?? null;
}

/** The affiliate that staff view, and their session in the dashboard. */
export interface UsedViewTokenRow extends UsedPortalTokenRow {
  slug: string;
  user_session_id: string;
  /** Whether the person agreed to be the affiliate. */
  agreed: boolean;
}

const USE_VIEW = statement<UsedViewTokenRow, "token_hash" | "now">(
  `${USED} and token.user_session_id is not null ${RETURNED}, organization.slug, token.user_session_id,
    affiliate.agreed_at is not null as agreed`,
);

/** Marks a token of staff as used. Null: it does not exist, has expired, was used, or opens a frame. */
export async function takeViewToken(
  sql: Connection,
  token: { token_hash: Buffer; now: Date },
): Promise<UsedViewTokenRow | null> {
  const [row] = await USE_VIEW.run(sql, token);
  return row ?? null;
}

/** Ends the tokens of these keys, and the sessions of frames that they opened. */
export async function endFramesOfKeys(
  sql: Connection,
  organizationId: string,
  key_ids: readonly string[],
): Promise<void> {
  const ids = [...key_ids];
  await sql`delete from portal_tokens where organization_id = ${organizationId} and key_id = any (${ids}::uuid[])`;
  await sql`delete from portal_sessions where limited_to = ${organizationId} and key_id = any (${ids}::uuid[])`;
}

/** Deletes at most `limit` tokens that expired before; returns how many. */
export async function deleteExpiredPortalTokens(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from portal_tokens where ctid = any (array(
      select ctid from portal_tokens where expires_at < ${before} order by expires_at limit ${limit}))`;
  return result.count;
}

export interface EmbeddingRow {
  /** The organization's name in addresses: another one, if it was found by a former one. */
  slug: string;
  frame_origins: string[];
}

const FIND_EMBEDDING = statement<EmbeddingRow, "slug">(`
  select slug, frame_origins from organizations where id = organization_named(:slug::text) and test_of is null`);

/** The origins of pages that may frame an organization's portal; null: no organization has the name or had it. */
export async function findEmbedding(sql: Connection, slug: string): Promise<EmbeddingRow | null> {
  const [row] = await FIND_EMBEDDING.run(sql, { slug });
  return row ?? null;
}
