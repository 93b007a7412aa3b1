import type { EventData } from "@findersfee/contract/events";
import type { Referral, ReferralWithoutAffiliate } from "@findersfee/contract/referrals";
import type { AffiliateRow, ReferralRow } from "@findersfee/database/rows";
import { viewAffiliate, viewReducedAffiliate } from "../affiliates/view.ts";

type WithAffiliate = ReferralRow & { affiliate: AffiliateRow };

/** A referral with its affiliate and the affiliate's campaign, as the API shows it. */
export function viewReferral(row: WithAffiliate, currency: string): Referral {
  return { ...viewReferralWithoutAffiliate(row), affiliate: viewAffiliate(row.affiliate, currency) };
}

/** The referral inside a commission. */
export function viewReferralWithoutAffiliate(row: ReferralRow): ReferralWithoutAffiliate {
  return {
    id: row.id,
    email: row.email,
    subscription_status: row.subscription_status,
    signup_date: row.signup_date.toISOString(),
    processor_customer_id: row.processor_customer_id,
    created_at: row.created_at.toISOString(),
  };
}

/** A referral with its reduced affiliate, as `referral.*` events carry it. */
export function viewReferralEvent(row: WithAffiliate): EventData<"referral.created"> {
  return { ...viewReferralWithoutAffiliate(row), affiliate: viewReducedAffiliate(row.affiliate) };
}
