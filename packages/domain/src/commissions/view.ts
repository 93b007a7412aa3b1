import type { Commission } from "@findersfee/contract/commissions";
import type { EventData } from "@findersfee/contract/events";
import type { CommissionRow } from "@findersfee/database/rows";
import { viewAffiliate, viewReducedAffiliate } from "../affiliates/view.ts";
import { toMajor } from "../money.ts";
import { viewReducedPayout } from "../payouts/view.ts";
import { viewReferralWithoutAffiliate } from "../referrals/view.ts";

/** A commission with its affiliate, referral and payout, as the API shows it. */
export function viewCommission(row: CommissionRow, currency: string): Commission {
  return { ...viewCommissionFields(row), affiliate: viewAffiliate(row.affiliate, currency) };
}

/** A commission with its reduced affiliate, as `commission.created` carries it. */
export function viewCommissionEvent(row: CommissionRow): EventData<"commission.created"> {
  return { ...viewCommissionFields(row), affiliate: viewReducedAffiliate(row.affiliate) };
}

function viewCommissionFields(row: CommissionRow): Omit<Commission, "affiliate"> {
  return {
    id: row.id,
    revenue_amount: toMajor(row.revenue_minor, row.currency),
    currency: row.currency,
    commission_amount: toMajor(row.commission_minor, row.currency),
    payout_status: row.payout_status,
    referral_date: row.referral_date.toISOString(),
    created_at: row.created_at.toISOString(),
    processor_payment_id: row.processor_payment_id,
    referral: viewReferralWithoutAffiliate(row.referral),
    payout: row.payout === null ? null : viewReducedPayout(row.payout),
  };
}
