import type { Referral } from "@findersfee/contract/customers/referrals";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { AffiliateRow, ReferralRow } from "@findersfee/database/rows";
import { viewAffiliate } from "../../affiliates/view.ts";
import { viewReferralWithoutAffiliate } from "../../webhooks/events/data.ts";

type WithAffiliate = ReferralRow & { affiliate: AffiliateRow };

/** The fields in the audit log. */
export function referralFields(
  row: Pick<ReferralRow, "email" | "processor_customer_id" | "subscription_status">,
  affiliate_id: string,
): AuditedFields {
  const { email, processor_customer_id, subscription_status } = row;
  return { affiliate_id, email, processor_customer_id, subscription_status };
}

/** A referral with its affiliate and the affiliate's campaign, as the API shows it. Most fields are in webhooks/events/data.ts. */
export function viewReferral(row: WithAffiliate, currency: string): Referral {
  return { ...viewReferralWithoutAffiliate(row), affiliate: viewAffiliate(row.affiliate, currency) };
}
