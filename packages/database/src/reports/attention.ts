import { makesOwnCodes } from "../affiliates/usable-codes.ts";
import { PAYOUT_CALENDAR, type PayoutCalendarRow } from "../payouts/calendar.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface FailingEndpointRow {
  endpoint_id: string;
  url: string;
  /** ISO 8601. */
  failing_since: string;
  pending: number;
}

/** A campaign with a website on which nobody has clicked. */
export interface SilentCampaignRow {
  campaign_id: string;
  name: string;
  website_url: string;
}

export interface AttentionRow extends PayoutCalendarRow {
  applications: number;
  oldest_application_at: Date | null;
  claims: number;
  oldest_claim_at: Date | null;
  /** Commissions in review. */
  reviews: number;
  oldest_review_at: Date | null;
  failing_endpoints: FailingEndpointRow[];
  portal_host_wanted: string | null;
  portal_host_proven_at: Date | null;
  /** Since when a host name that was proven has had no record. */
  portal_host_failing_since: Date | null;
  /** Since when the service, which had answered there, does not. */
  portal_host_unreachable_since: Date | null;
  link_host_wanted: string | null;
  link_host_proven_at: Date | null;
  link_host_failing_since: Date | null;
  link_host_unreachable_since: Date | null;
  mails_awaiting_quota: number;
  mails_wait_until: Date | null;
  dead_lettered_messages: number;
  failed_promo_codes: number;
  /** Promo codes that wait for an API key of Stripe. */
  codes_without_key: number;
  /** Event types that the endpoint at Stripe lacks; null: it was not checked, or the check failed. */
  missing_events: string[] | null;
  events_check_error: string | null;
  silent_campaigns: SilentCampaignRow[];
  /** Affiliates with an amount due, in one currency or several. */
  due_affiliates: number;
  /** Of these, affiliates that payout runs leave out since a ban that has ended. */
  stale_holds: number;
  /** Of these, erased affiliates: nobody can pay them. */
  owed_to_erased: number;
  /** Payout runs that wait for a second member. */
  waiting_runs: number;
}

/** Each count is one of an index that has only such rows, up to `most`. */
function countOf(table: string, condition: string): string {
  return `(select count(*)::int from (
      select from ${table} where organization_id = organization.id and ${condition} limit :most::int) as counted)`;
}

/** Whether something is due of a row `balance`. */
const IS_DUE = `balance.organization_id = organization.id and balance.unpaid_minor > (
        select coalesce(sum(commission_minor), 0) from unpaid_commissions unpaid
        where unpaid.organization_id = organization.id and unpaid.affiliate_id = balance.affiliate_id
          and unpaid.currency = balance.currency and unpaid.due_at > now())`;

/** Affiliates with a due amount above zero in a currency, each once, in the order of the key of `balances`. */
const DUE_AFFILIATES = `(select count(*)::int from (
      select distinct affiliate_id from balances balance where ${IS_DUE} limit :most::int) as counted)`;

/** Affiliates with due amounts that runs leave out, with a condition on \`hold\` and \`affiliate\`. */
function withheld(condition: string): string {
  return `(select count(*)::int from (
      select from current_payout_holds hold
      join affiliates affiliate
        on affiliate.organization_id = hold.organization_id and affiliate.id = hold.affiliate_id and ${condition}
      where hold.organization_id = organization.id and exists (
        select from balances balance where balance.affiliate_id = hold.affiliate_id and ${IS_DUE})
      limit :most::int) as counted)`;
}

/** Promo codes that should be at Stripe, of an organization without its API key. */
const CODES_WITHOUT_KEY = `(select count(*)::int from (
      select from affiliate_codes code
      join affiliates affiliate
        on affiliate.organization_id = code.organization_id and affiliate.id = code.affiliate_id
      join campaigns campaign
        on campaign.organization_id = affiliate.organization_id and campaign.id = affiliate.campaign_id
      where code.organization_id = organization.id and code.due_at is not null and code.external_id is null
        and campaign.code_mode <> 'link' and stripe.api_key_last_four is null
        and not ${makesOwnCodes("organization.id")}
      limit :most::int) as counted)`;

/** Affiliates of a campaign that are looked at for a click, the oldest ones. */
const LOOKED_AT = 1_000;

const SILENT_CAMPAIGNS = `(select coalesce(json_agg(silent order by campaign_id), '[]') from (
      select id as campaign_id, name, website_url from campaigns campaign
      where campaign.organization_id = organization.id and website_url is not null and code_mode <> 'coupon'
        and created_at < now() - interval '3 days'
        and (
          select coalesce(bool_or(approved and not banned and created_at < now() - interval '3 days'), false)
            and coalesce(bool_and(clicks = 0), false)
          from (
            select approved, banned, created_at, clicks from affiliates
            where affiliates.organization_id = organization.id and affiliates.campaign_id = campaign.id
            order by id limit ${LOOKED_AT}) as oldest)
      order by id limit 5) as silent)`;

const READ = statement<AttentionRow, "organization_id" | "most">(`
  select ${countOf("affiliates", "not approved and not banned and declined_at is null")} as applications,
    (select created_at from affiliates
      where organization_id = organization.id and not approved and not banned and declined_at is null order by id limit 1)
      as oldest_application_at,
    ${countOf("claims", "state = 'open'")} as claims,
    (select created_at from claims where organization_id = organization.id and state = 'open' order by id limit 1)
      as oldest_claim_at,
    ${countOf("commissions", "review_state = 'pending' and not voided and recruit_commission_id is null")} as reviews,
    (select referral_date from commissions
      where organization_id = organization.id and review_state = 'pending' and not voided
      order by referral_date limit 1) as oldest_review_at,
    (select coalesce(json_agg(failing order by failing_since), '[]') from (
      select endpoint_id, url, failing_since, waiting.pending
      from endpoint_health health
      join endpoints endpoint
        on endpoint.organization_id = health.organization_id and endpoint.id = health.endpoint_id and endpoint.enabled
      cross join lateral (
        select count(*)::int as pending from (
          select from pending_deliveries pending
          where pending.organization_id = health.organization_id and pending.endpoint_id = health.endpoint_id
          limit :most::int) as counted
      ) as waiting
      where health.organization_id = organization.id and failing_since is not null and waiting.pending > 0
    ) as failing) as failing_endpoints,
    ${countOf("mails", "awaits_quota")} as mails_awaiting_quota,
    -- All wait for the same midnight.
    (select due_at from mails where organization_id = organization.id and awaits_quota limit 1) as mails_wait_until,
    ${countOf("processor_messages", "state = 'parked'")} as dead_lettered_messages,
    ${countOf("affiliate_codes", "reason is not null and due_at is null")} as failed_promo_codes,
    ${CODES_WITHOUT_KEY} as codes_without_key,
    -- The state of an endpoint that the service created says more.
    case when stripe.endpoint_state is null then stripe.missing_events end as missing_events,
    case when stripe.endpoint_state is null then stripe.events_check_error end as events_check_error,
    ${SILENT_CAMPAIGNS} as silent_campaigns,
    ${DUE_AFFILIATES} as due_affiliates,
    ${withheld("hold.of_ban and not affiliate.banned")} as stale_holds,
    ${withheld("affiliate.erased_at is not null")} as owed_to_erased,
    ${countOf("payout_runs", "approval = 'waiting'")} as waiting_runs,
    organization.portal_host_wanted, organization.portal_host_proven_at, organization.portal_host_failing_since,
    organization.portal_host_unreachable_since, organization.link_host_unreachable_since,
    organization.link_host_wanted, organization.link_host_proven_at, organization.link_host_failing_since,
    ${PAYOUT_CALENDAR}
  from organizations organization
  left join processors stripe on stripe.organization_id = organization.id and stripe.name = 'stripe'
  where organization.id = :organization_id::uuid`);

/** Counts the open tasks of an organization, up to `most` of each kind. */
export async function readAttention(
  sql: Connection,
  organizationId: string,
  most: number,
): Promise<AttentionRow> {
  const [row] = await READ.run(sql, { organization_id: organizationId, most });
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}
