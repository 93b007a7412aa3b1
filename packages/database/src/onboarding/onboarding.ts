import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { ProcessorName } from "../processors/processors.ts";

/** An organization's progress in the first steps. Times are ISO 8601. */
export interface OnboardingRow {
  dismissed_at: Date | null;
  test_of: string | null;
  publishable_key: string | null;
  link_url: string | null;
  website_domains: string[];
  /** The websites of campaigns. */
  websites: string[];
  test_data: { id: string; slug: string } | null;
  campaign: { id: string; name: string; website_url: string | null; code_mode: string } | null;
  affiliate: { id: string; email: string; name: string; code: string | null } | null;
  click: { clicked_at: string; landing_url: string | null; code: string; affiliate: string } | null;
  connections: {
    name: ProcessorName;
    livemode: boolean;
    refused_at: string | null;
    refused_reason: string | null;
    /** The last one. */
    message: {
      id: string;
      type: string;
      state: "received" | "done" | "skipped" | "parked";
      reason: string | null;
      received_at: string;
    } | null;
  }[];
  payment: { id: string; outcome: string; paid_at: string; commission_id: string | null } | null;
  commission: { id: string; currency: string; commission_minor: string } | null;
}

/** Each part is the first or last row of an index. */
const READ = statement<OnboardingRow, "organization_id">(`
  select onboarding_dismissed_at as dismissed_at, test_of, link_url, website_domains,
    array(select distinct website_url from campaigns
      where organization_id = organization.id and website_url is not null order by website_url) as websites,
    (select publishable_key from api_keys
      where organization_id = organization.id and kind = 'publishable' and revoked_at is null
        and (expires_at is null or expires_at > now())
      order by id desc limit 1) as publishable_key,
    (select json_build_object('id', test.id, 'slug', test.slug) from organizations test
      where test.test_of = organization.id and test.removed_at is null) as test_data,
    (select to_json(campaign) from (
      select id, name, website_url, code_mode from campaigns where organization_id = organization.id
      order by is_default desc, id limit 1) as campaign) as campaign,
    (select to_json(affiliate) from (
      select id, email, display_name(first_name, last_name, email) as name, (
        select code from affiliate_codes
        where organization_id = organization.id and affiliate_id = affiliates.id and kind = 'link'
          and replaced_at is null
        order by id limit 1) as code
      from affiliates where organization_id = organization.id and approved and not banned
      order by id limit 1) as affiliate) as affiliate,
    (select to_json(click) from (
      select clicked_at, landing_url, code, (
        select display_name(first_name, last_name, email) from affiliates
        where organization_id = organization.id and affiliates.id = clicks.affiliate_id) as affiliate
      from clicks where organization_id = organization.id order by id desc limit 1) as click) as click,
    (select coalesce(json_agg(connection order by name), '[]') from (
      select name, livemode, refused_at, refused_reason, (
        select to_json(message) from (
          select id, type, state, reason, received_at from processor_messages
          where organization_id = organization.id and processor = processors.name
          order by received_at desc, id desc limit 1) as message) as message
      from processors
      -- Without a secret, its endpoint is not created yet.
      where organization_id = organization.id and secret_encrypted is not null) as connection) as connections,
    (select to_json(payment) from (
      select id, outcome, paid_at, commission_id from payment_decisions
      where organization_id = organization.id and replaced_at is null
      order by paid_at desc, id desc limit 1) as payment) as payment,
    (select to_json(commission) from (
      select id, currency, commission_minor::text from commissions where organization_id = organization.id
      order by id limit 1) as commission) as commission
  from organizations organization where id = :organization_id::uuid`);

/** The first steps of an organization. */
export async function readOnboarding(sql: Connection, organizationId: string): Promise<OnboardingRow> {
  const [row] = await READ.run(sql, { organization_id: organizationId });
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}

/** Locked until the transaction ends. */
export async function lockOnboardingDismissal(sql: Connection, organizationId: string): Promise<Date | null> {
  const [row] = await sql<{ dismissed_at: Date | null }[]>`
    select onboarding_dismissed_at as dismissed_at from organizations
    where id = ${organizationId} for no key update`;
  return row?.dismissed_at ?? null;
}

export async function dismissOnboarding(
  sql: Connection,
  organizationId: string,
  dismissed_at: Date | null,
): Promise<void> {
  await sql`update organizations set onboarding_dismissed_at = ${dismissed_at} where id = ${organizationId}`;
}
