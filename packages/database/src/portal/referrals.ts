import type { CommissionListRow, RowRange } from "../commissions/list-rows.ts";
import type { Connection } from "../postgres/connect.ts";
import type { CampaignRow, ReferralRow } from "../rows.ts";
import type { OwnAffiliate } from "./home.ts";

/** A referral of an affiliate, with the commissions that it earned. */
export interface OwnReferralRow
  extends Pick<ReferralRow, "id" | "email" | "subscription_status" | "signup_date" | "converted_at">,
    Pick<CampaignRow, "hide_emails" | "limit_type" | "limit_amount"> {
  /** When the payment of the first commission was made. */
  first_at: Date | null;
  /** Commissions that are neither void nor reversed, if these are limited; 0 otherwise, since there may be thousands. */
  payments: number;
  sums: { currency: CommissionListRow["currency"]; commission_minor: string }[];
}

/** Returns a page of an affiliate's referrals, newest first; with `before`, oldest first. */
export async function listOwnReferrals(
  sql: Connection,
  {
    organization_id,
    affiliate_id,
    range: { after, before, limit },
    most_commissions,
  }: OwnAffiliate & {
    range: RowRange;
    /** The most commissions to sum up for each referral. */
    most_commissions: number;
  },
): Promise<OwnReferralRow[]> {
  const order = before === null ? sql`desc` : sql`asc`;
  const earned = sql`
    select id, reversal_of, lead, currency, referral_date, voided, commission_minor from commissions
    where organization_id = ${organization_id} and referral_id = referral.id and affiliate_id = ${affiliate_id}
      and recruit_commission_id is null
    order by id limit ${most_commissions}`;
  return await sql<OwnReferralRow[]>`
    select referral.id, referral.email, referral.subscription_status, referral.signup_date, referral.converted_at,
      campaign.hide_emails, campaign.limit_type, campaign.limit_amount, summed.first_at, counted.payments, summed.sums
    from (
      select * from referrals
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} and replaced_at is null
        ${after === null ? sql`` : sql`and id < ${after}`}
        ${before === null ? sql`` : sql`and id > ${before}`}
      order by id ${order} limit ${sql.unsafe(String(Math.trunc(limit)))}
    ) as referral
    join affiliates affiliate on affiliate.organization_id = ${organization_id} and affiliate.id = ${affiliate_id}
    join campaigns campaign on campaign.organization_id = ${organization_id} and campaign.id = affiliate.campaign_id
    cross join lateral (
      select min(first_at) as first_at,
        coalesce(json_agg(json_build_object('currency', currency, 'commission_minor', minor::text) order by currency),
          '[]') as sums
      from (
        select currency, min(referral_date) filter (where lead is null) as first_at, coalesce(sum(commission_minor) filter (where not voided), 0) as minor
        from (${earned}) as first group by currency
      ) as by_currency
    ) as summed
    cross join lateral (
      select count(*)::int as payments from (
        select from (${earned}) as first
        where campaign.limit_type = 'payments' and lead is null
        group by coalesce(reversal_of, id)
        having sum(commission_minor) filter (where not voided) > 0
      ) as payment
    ) as counted
    order by referral.id ${order}`;
}
