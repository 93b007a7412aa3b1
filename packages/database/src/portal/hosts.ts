import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The use of an organization's own host name. */
export type HostUse = "portal" | "link";

/** The organization and the use of a served host name. */
export interface ServedHostNameRow {
  organization_id: string;
  use: HostUse;
  slug: string;
  /** When a request last named the host, to the hour; null: never. */
  seen_at: Date | null;
  /** The newest publishable key that counts. Null: there is none. */
  publishable_key: string | null;
  /** Whether links set cookies at once. */
  link_cookies: boolean;
}

const PUBLISHABLE_KEY = `
  (select publishable_key from api_keys
    where organization_id = organization.id and kind = 'publishable' and revoked_at is null
      and coalesce(expires_at > now(), true)
    order by id desc limit 1) as publishable_key`;

const FIND = statement<ServedHostNameRow, "host">(`
  select id as organization_id, case when portal_host = :host::text then 'portal' else 'link' end as use, slug,
    case when portal_host = :host::text then portal_host_seen_at else link_host_seen_at end as seen_at,
    ${PUBLISHABLE_KEY}, link_cookies
  from organizations organization
  where (portal_host = :host::text or link_host = :host::text) and test_of is null`);

/** The organization that is served at a host name. */
export async function findServedHost(sql: Connection, host: string): Promise<ServedHostNameRow | null> {
  const [row] = await FIND.run(sql, { host });
  return row ?? null;
}

/** Stores that a request named the host, at most once an hour across all processes. */
export async function touchServedHost(
  sql: Connection,
  { organization_id, host }: { organization_id: string; host: string },
): Promise<void> {
  await sql`
    update organizations
    set portal_host_seen_at = case when portal_host = ${host} then now() else portal_host_seen_at end,
      link_host_seen_at = case when link_host = ${host} then now() else link_host_seen_at end
    where id = ${organization_id} and (
      (portal_host = ${host} and coalesce(portal_host_seen_at < now() - interval '1 hour', true))
      or (link_host = ${host} and coalesce(link_host_seen_at < now() - interval '1 hour', true)))`;
}

/** Why the last look at the record of a host name found no proof: no record, one of others, or no answer. */
export type HostFailure = "missing" | "different" | "unanswered";

/** The proofs of an organization's host names. */
export interface HostProofsRow {
  /** In its ASCII form; null: the organization wants none, and the rest is null, too. */
  portal_host_wanted: string | null;
  /** Since when it is served; null: it is not. */
  portal_host_proven_at: Date | null;
  portal_host_checked_at: Date | null;
  /** Null: the last look found the proof, or there was none yet. */
  portal_host_failure: HostFailure | null;
  /** Since when a name that was proven has had no record. */
  portal_host_failing_since: Date | null;
  /** When the service last answered there; null: it never did. */
  portal_host_answered_at: Date | null;
  /** Since when the service, which had answered there, does not; null: it does, or it never answered. */
  portal_host_unreachable_since: Date | null;
  link_host_wanted: string | null;
  link_host_proven_at: Date | null;
  link_host_checked_at: Date | null;
  link_host_failure: HostFailure | null;
  link_host_failing_since: Date | null;
  link_host_answered_at: Date | null;
  link_host_unreachable_since: Date | null;
  /** The address at which the service answered its last check; null: it did not. */
  link_url: string | null;
}

/** The result of a look at a record. */
export interface HostProof {
  proven_at: Date | null;
  checked_at: Date | null;
  failure: HostFailure | null;
  failing_since: Date | null;
}

/** Whether the service answers at a host name, by its checks. */
export interface HostAnswer {
  answered_at: Date | null;
  unreachable_since: Date | null;
}

/** Stores the result of a look at the record of the portal's host name. The caller has locked the organization. */
export async function updatePortalHostProof(
  sql: Connection,
  organizationId: string,
  { proven_at, checked_at, failure, failing_since }: HostProof,
): Promise<void> {
  await sql`
    update organizations
    set portal_host_proven_at = ${proven_at}, portal_host_checked_at = ${checked_at}, portal_host_failure = ${failure},
      portal_host_failing_since = ${failing_since}
    where id = ${organizationId}`;
}

/** The same for the host name of links, with the address at which the service answers. */
export async function updateLinkHostProof(
  sql: Connection,
  organizationId: string,
  { proven_at, checked_at, failure, failing_since, link_url }: HostProof & { link_url: string | null },
): Promise<void> {
  await sql`
    update organizations
    set link_host_proven_at = ${proven_at}, link_host_checked_at = ${checked_at}, link_host_failure = ${failure},
      link_host_failing_since = ${failing_since}, link_url = ${link_url}
    where id = ${organizationId}`;
}

/** Stores whether the service answers at the portal's host name. The caller has locked the organization. */
export async function updatePortalHostAnswer(
  sql: Connection,
  organizationId: string,
  { answered_at, unreachable_since }: HostAnswer,
): Promise<void> {
  await sql`
    update organizations
    set portal_host_answered_at = ${answered_at}, portal_host_unreachable_since = ${unreachable_since}
    where id = ${organizationId}`;
}

/** The same for the host name of links, with the address at which the service answers; null: it does not. */
export async function updateLinkHostAnswer(
  sql: Connection,
  organizationId: string,
  { answered_at, unreachable_since, link_url }: HostAnswer & { link_url: string | null },
): Promise<void> {
  await sql`
    update organizations
    set link_host_answered_at = ${answered_at}, link_host_unreachable_since = ${unreachable_since},
      link_url = ${link_url}
    where id = ${organizationId}`;
}

/** A host name that is served. */
export interface ServedHostRow {
  organization_id: string;
  use: HostUse;
  host: string;
}

/**
 * Returns served host names with a record that was not checked since `before`, the longest ago first; of
 * names at which the service does not answer, those not checked since `unreachable_before`.
 */
export async function listHostsToCheck(
  sql: Connection,
  { before, unreachable_before, limit }: { before: Date; unreachable_before: Date; limit: number },
): Promise<ServedHostRow[]> {
  return await sql<ServedHostRow[]>`
    select organization_id, use, host from (
      (select id as organization_id, 'portal' as use, portal_host as host, portal_host_checked_at as checked_at
        from organizations
        where portal_host is not null and (portal_host_checked_at is null or portal_host_checked_at < ${before}
          or (portal_host_unreachable_since is not null and portal_host_checked_at < ${unreachable_before}))
        order by portal_host_checked_at nulls first limit ${limit})
      union all
      (select id, 'link', link_host, link_host_checked_at from organizations
        where link_host is not null and (link_host_checked_at is null or link_host_checked_at < ${before}
          or (link_host_unreachable_since is not null and link_host_checked_at < ${unreachable_before}))
        order by link_host_checked_at nulls first limit ${limit})
    ) as due
    order by checked_at nulls first, organization_id, use limit ${limit}`;
}

/** Whether another organization is served at a host name, or was until a short time ago. */
export async function isHostOfOthers(
  sql: Connection,
  organizationId: string,
  host: string,
): Promise<"served" | "released" | null> {
  const [row] = await sql<[{ is_served: boolean; is_released: boolean }]>`
    select
      exists (
        select from organizations
        where (portal_host = ${host} or link_host = ${host}) and id <> ${organizationId}) as is_served,
      exists (
        select from released_names
        where kind = 'host' and name = ${host} and organization_id <> ${organizationId}
          and released_at > now() - interval '90 days'
      ) as is_released`;
  if (row.is_served) return "served";
  return row.is_released ? "released" : null;
}
