import type { Connection } from "../postgres/connect.ts";

/** A domain of addresses that an organization's provider is for. */
export interface SignInDomainRow {
  domain: string;
  /** Null: the provider signs nobody with such an address in. */
  proven_at: Date | null;
  checked_at: Date | null;
  failure: "missing" | "different" | "unanswered" | null;
  failing_since: Date | null;
}

export async function listSignInDomains(sql: Connection, organizationId: string): Promise<SignInDomainRow[]> {
  return await sql<SignInDomainRow[]>`
    select domain, proven_at, checked_at, failure, failing_since from sign_in_domains
    where organization_id = ${organizationId} order by domain`;
}

/** Inserts a domain unless the organization has it. */
export async function insertSignInDomain(
  sql: Connection,
  organizationId: string,
  domain: string,
): Promise<void> {
  await sql`
    insert into sign_in_domains (organization_id, domain) values (${organizationId}, ${domain})
    on conflict do nothing`;
}

export async function updateSignInDomain(
  sql: Connection,
  organizationId: string,
  { domain, ...proof }: SignInDomainRow,
): Promise<void> {
  await sql`
    update sign_in_domains set ${sql({ ...proof })} where organization_id = ${organizationId} and domain = ${domain}`;
}

/** A proven domain and the organization that it belongs to. */
export interface ProvenDomainRow {
  organization_id: string;
  domain: string;
}

/** Proven domains with no look at their record since `before`, the longest ago first. */
export async function listDomainsToCheck(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<ProvenDomainRow[]> {
  return await sql<ProvenDomainRow[]>`
    select organization_id, domain from sign_in_domains
    where proven_at is not null and (checked_at is null or checked_at < ${before})
    order by checked_at nulls first, organization_id, domain limit ${limit}`;
}

export async function deleteSignInDomain(
  sql: Connection,
  organizationId: string,
  domain: string,
): Promise<void> {
  await sql`delete from sign_in_domains where organization_id = ${organizationId} and domain = ${domain}`;
}
