import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface PortalHostRow {
  organization_id: string;
  slug: string;
  /** When a request last named the host, to the hour; null: never. */
  seen_at: Date | null;
}

const FIND = statement<PortalHostRow, "host">(`
  select id as organization_id, slug, portal_host_seen_at as seen_at from organizations
  where portal_host = :host::text and test_of is null`);

/** The organization that has its portal at a host name. */
export async function findPortalHost(sql: Connection, host: string): Promise<PortalHostRow | null> {
  const [row] = await FIND.run(sql, { host });
  return row ?? null;
}

/** Stores that a request named the host, at most once an hour across all processes. */
export async function touchPortalHost(
  sql: Connection,
  { organization_id, host }: { organization_id: string; host: string },
): Promise<void> {
  await sql`
    update organizations set portal_host_seen_at = now()
    where id = ${organization_id} and portal_host = ${host}
      and coalesce(portal_host_seen_at < now() - interval '1 hour', true)`;
}

/** Why the last look at the record of a host name found no proof: no record, one of others, or no answer. */
export type PortalHostFailure = "missing" | "different" | "unanswered";

/** What is known of the host name that an organization wants. */
export interface PortalHostProofRow {
  /** In its ASCII form; null: the organization wants none, and the rest is null, too. */
  portal_host_wanted: string | null;
  /** Since when it is served; null: it is not. */
  portal_host_proven_at: Date | null;
  portal_host_checked_at: Date | null;
  /** Null: the last look found the proof, or there was none yet. */
  portal_host_failure: PortalHostFailure | null;
  /** Since when a name that was proven has had no record. */
  portal_host_failing_since: Date | null;
}

/** Stores the result of a look at the record. The caller has locked the organization. */
export async function updatePortalHostProof(
  sql: Connection,
  organizationId: string,
  proof: Omit<PortalHostProofRow, "portal_host_wanted">,
): Promise<void> {
  await sql`
    update organizations
    set portal_host_proven_at = ${proof.portal_host_proven_at},
      portal_host_checked_at = ${proof.portal_host_checked_at},
      portal_host_failure = ${proof.portal_host_failure},
      portal_host_failing_since = ${proof.portal_host_failing_since}
    where id = ${organizationId}`;
}

/** A host name that is served. */
export interface ServedHostRow {
  organization_id: string;
  host: string;
}

/** Served host names whose record was not looked at since `before`, the longest ago first. */
export async function listHostsToCheck(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<ServedHostRow[]> {
  return await sql<ServedHostRow[]>`
    select id as organization_id, portal_host as host from organizations
    where portal_host is not null and (portal_host_checked_at is null or portal_host_checked_at < ${before})
    order by portal_host_checked_at nulls first, id limit ${limit}`;
}

/** Whether another organization is served at a host name, or was until a short time ago. */
export async function isHostOfOthers(
  sql: Connection,
  organizationId: string,
  host: string,
): Promise<"served" | "released" | null> {
  const [row] = await sql<[{ is_served: boolean; is_released: boolean }]>`
    select
      exists (select from organizations where portal_host = ${host} and id <> ${organizationId}) as is_served,
      exists (
        select from released_names
        where kind = 'host' and name = ${host} and organization_id <> ${organizationId}
          and released_at > now() - interval '90 days'
      ) as is_released`;
  if (row.is_served) return "served";
  return row.is_released ? "released" : null;
}
