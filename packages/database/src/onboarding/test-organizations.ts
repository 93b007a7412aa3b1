import type { OrganizationRow } from "../organizations/organizations.ts";
import type { Connection } from "../postgres/connect.ts";

/** An organization as the one that its test data is copied from. */
export interface TestedOrganizationRow extends OrganizationRow {
  slug: string;
  time_zone: string;
  /** Not null: it is test data itself. */
  test_of: string | null;
}

/** Locked until the transaction ends; null: no such organization. */
export async function lockTestedOrganization(
  sql: Connection,
  id: string,
): Promise<TestedOrganizationRow | null> {
  const [row] = await sql<TestedOrganizationRow[]>`
    select id, name, slug, currency, time_zone, subscription_status, test_of, created_at
    from organizations where id = ${id} for no key update`;
  return row ?? null;
}

/** The organization with the test data of another one. */
export interface TestOrganizationRow {
  id: string;
  slug: string;
}

export async function findTestOrganization(
  sql: Connection,
  organizationId: string,
): Promise<TestOrganizationRow | null> {
  const [row] = await sql<TestOrganizationRow[]>`
    select id, slug from organizations where test_of = ${organizationId} and removed_at is null`;
  return row ?? null;
}

/** Gives test data the currency and the time zone that the organization has now: the amounts of copied campaigns are in it. */
export async function alignTestOrganization(
  sql: Connection,
  { id, currency, time_zone }: Pick<TestedOrganizationRow, "id" | "currency" | "time_zone">,
): Promise<void> {
  await sql`
    update organizations set currency = ${currency}, time_zone = ${time_zone}
    where test_of = ${id} and removed_at is null and (currency, time_zone) <> (${currency}, ${time_zone})`;
}

/** Counts those that were created since a time, also those that were removed. */
export async function countTestOrganizations(
  sql: Connection,
  organizationId: string,
  since: Date,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from organizations
    where test_of = ${organizationId} and created_at >= ${since}`;
  return row.count;
}

/**
 * Makes test data unreachable: its slug is free again, its keys are revoked, and its processor sends nothing more to it. Null:
 * it is not that of the organization, or was removed.
 */
export async function removeTestOrganization(
  sql: Connection,
  organizationId: string,
  { id, removed_at }: { id: string; removed_at: Date },
): Promise<TestOrganizationRow | null> {
  const [row] = await sql<TestOrganizationRow[]>`
    with removed as (
      update organizations set removed_at = ${removed_at}, slug = 'removed-' || id
      where id = ${id} and test_of = ${organizationId} and removed_at is null
      returning id, slug
    ),
    revoked as (
      update api_keys set revoked_at = ${removed_at}
      where organization_id in (select id from removed) and revoked_at is null
    ),
    disconnected as (delete from processors where organization_id in (select id from removed)),
    disabled as (
      update endpoints set enabled = false, disabled_at = ${removed_at}, disabled_reason = 'operator'
      where organization_id in (select id from removed) and enabled
    )
    select id, slug from removed`;
  return row ?? null;
}

/** The affiliate of test data, with its link code. */
export interface TestAffiliateRow {
  id: string;
  campaign_id: string;
  link_code: string | null;
  promo_code: string | null;
}

/** The first affiliate of test data; null: it has none. */
export async function findTestAffiliate(
  sql: Connection,
  organizationId: string,
): Promise<TestAffiliateRow | null> {
  const codeOf = (kind: "link" | "promo") => sql`
    (select code from affiliate_codes
      where organization_id = ${organizationId} and affiliate_id = affiliate.id and kind = ${kind}
        and replaced_at is null order by id limit 1)`;
  const [row] = await sql<TestAffiliateRow[]>`
    select id, campaign_id, ${codeOf("link")} as link_code, ${codeOf("promo")} as promo_code
    from affiliates affiliate where organization_id = ${organizationId} order by id limit 1`;
  return row ?? null;
}

/** A played sale: its messages, and the decision once there is one. */
export interface TestSaleRow extends TestOrganizationRow {
  /** Why a message could not be processed. */
  reason: string | null;
  decision_id: string | null;
  outcome: string | null;
  commission_id: string | null;
}

/** Null: no message of the sale was stored. */
export async function findTestSale(
  sql: Connection,
  organizationId: string,
  { message_ids, payment_id }: { message_ids: readonly string[]; payment_id: string },
): Promise<TestSaleRow | null> {
  const [row] = await sql<TestSaleRow[]>`
    select test.id, test.slug, message.reason, decision.id as decision_id, decision.outcome, decision.commission_id
    from organizations test
    cross join lateral (
      select max(reason) filter (where state = 'parked') as reason from processor_messages
      where organization_id = test.id and processor = 'generic' and id = any (${[...message_ids]}::text[])
      having count(*) > 0
    ) as message
    left join payment_decisions decision
      on decision.organization_id = test.id and decision.processor = 'generic' and decision.payment_id = ${payment_id}
    where test.test_of = ${organizationId} and test.removed_at is null`;
  return row ?? null;
}
