import type { Connection } from "../postgres/connect.ts";

export interface OrganizationRow {
  id: string;
  name: string;
  currency: string;
  subscription_status: "active" | "trialing" | "past_due" | "canceled";
  created_at: Date;
}

export interface ListedOrganizationRow extends OrganizationRow {
  /** The organization that it has the test data of. */
  test_of: string | null;
}

/** False: another organization has the slug, and nothing was inserted. */
export async function insertOrganization(
  sql: Connection,
  organization: ListedOrganizationRow & { slug: string; time_zone: string },
): Promise<boolean> {
  const rows = await sql`
    insert into organizations ${sql({ ...organization })} on conflict (slug) do nothing returning id`;
  return rows.length > 0;
}

export async function findOrganization(sql: Connection, id: string): Promise<OrganizationRow | null> {
  const [row] = await sql<OrganizationRow[]>`
    select id, name, currency, subscription_status, created_at from organizations where id = ${id}`;
  return row ?? null;
}

/** Organizations in the order of their creation, after the one with the id `after`; with test data only if wanted. */
export async function listOrganizations(
  sql: Connection,
  { after, limit, test_data = true }: { after: string | null; limit: number; test_data?: boolean },
): Promise<ListedOrganizationRow[]> {
  return await sql<ListedOrganizationRow[]>`
    select id, name, currency, subscription_status, test_of, created_at from organizations
    where (${after}::uuid is null or id > ${after}) and (${test_data} or test_of is null)
    order by id limit ${limit}`;
}

/** Returns the fields that the operator can change, locked until the transaction ends; null: no such organization. */
export async function lockOrganizationTerms(
  sql: Connection,
  id: string,
): Promise<Pick<OrganizationRow, "subscription_status"> | null> {
  const [row] = await sql<Pick<OrganizationRow, "subscription_status">[]>`
    select subscription_status from organizations where id = ${id} for no key update`;
  return row ?? null;
}

/** Null: no such organization. */
export async function updateSubscriptionStatus(
  sql: Connection,
  { id, subscription_status }: Pick<OrganizationRow, "id" | "subscription_status">,
): Promise<OrganizationRow | null> {
  const [row] = await sql<OrganizationRow[]>`
    update organizations set subscription_status = ${subscription_status} where id = ${id}
    returning id, name, currency, subscription_status, created_at`;
  return row ?? null;
}

/** The organization's own quota of mails to strangers, locked until the transaction ends; null: no such organization. */
export async function lockMailQuota(
  sql: Connection,
  id: string,
): Promise<{ mails_to_strangers: number | null } | null> {
  const [row] = await sql<{ mails_to_strangers: number | null }[]>`
    select mails_to_strangers from organizations where id = ${id} for no key update`;
  return row ?? null;
}

/** Null: the quota of the service. */
export async function updateMailQuota(
  sql: Connection,
  id: string,
  mails_to_strangers: number | null,
): Promise<void> {
  await sql`update organizations set mails_to_strangers = ${mails_to_strangers} where id = ${id}`;
  await sql`
    update mails set due_at = now(), awaits_quota = false where organization_id = ${id} and awaits_quota`;
}

/** Whether any organization exists; prevents the creation of others until the transaction ends. */
export async function lockWhetherAnyOrganization(sql: Connection): Promise<boolean> {
  await sql`lock table organizations in share row exclusive mode`;
  const [row] = await sql<[{ found: boolean }]>`select exists (select from organizations) as found`;
  return row.found;
}

/** Locks an organization until the transaction ends, without blocking references to it; false: there is none. */
export async function lockOrganization(sql: Connection, id: string): Promise<boolean> {
  const rows = await sql`select from organizations where id = ${id} for no key update`;
  return rows.length > 0;
}

/** The fields of an organization that people change in the dashboard. */
export interface OrganizationProfileRow {
  name: string;
  slug: string;
  time_zone: string;
  /** ISO 4217. */
  currency: string;
  support_email: string | null;
}

/** Null: no such organization. */
export async function findOrganizationProfile(
  sql: Connection,
  id: string,
): Promise<OrganizationProfileRow | null> {
  const [row] = await sql<OrganizationProfileRow[]>`
    select name, slug, time_zone, currency, support_email from organizations where id = ${id}`;
  return row ?? null;
}

/** Locked until the transaction ends; null: no such organization. */
export async function lockOrganizationProfile(
  sql: Connection,
  id: string,
): Promise<OrganizationProfileRow | null> {
  const [row] = await sql<OrganizationProfileRow[]>`
    select name, slug, time_zone, currency, support_email from organizations where id = ${id} for no key update`;
  return row ?? null;
}

export async function updateOrganizationProfile(
  sql: Connection,
  id: string,
  profile: OrganizationProfileRow,
): Promise<void> {
  await sql`update organizations set ${sql({ ...profile })} where id = ${id}`;
}

/** Whether a slug is closed to new organizations, because another one gave it up a short time ago. */
export async function isReleasedSlug(sql: Connection, slug: string): Promise<boolean> {
  const rows = await sql`
    select from released_names
    where kind = 'slug' and name = ${slug} and released_at > now() - interval '90 days'`;
  return rows.length > 0;
}

/** The slug of the organization that has a slug, or had it last; null: none. Test data has no addresses of its own. */
export async function findCurrentSlug(sql: Connection, slug: string): Promise<string | null> {
  const [row] = await sql<{ slug: string }[]>`
    select slug from organizations where id = organization_named(${slug}) and test_of is null`;
  return row?.slug ?? null;
}
