import type { Referral } from "@findersfee/contract/referrals";
import type { AffiliateRow, ReferralRow } from "@findersfee/database/rows";
import { viewAffiliate } from "../affiliates/view.ts";
import { viewReferralWithoutAffiliate } from "../events/record.ts";

type WithAffiliate = ReferralRow & { affiliate: AffiliateRow };

/** A referral with its affiliate and the affiliate's campaign, as the API shows it. */
export function viewReferral(row: WithAffiliate, currency: string): Referral {
  return { ...viewReferralWithoutAffiliate(row), affiliate: viewAffiliate(row.affiliate, currency) };
}
