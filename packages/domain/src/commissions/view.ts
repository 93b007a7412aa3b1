import type { Commission } from "@findersfee/contract/commissions/commissions";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { CommissionRow } from "@findersfee/database/rows";
import { viewAffiliate } from "../affiliates/view.ts";
import { toMajor } from "../money.ts";
import { viewCommissionFields } from "../webhooks/events/data.ts";

/** A commission with its affiliate, referral and payout, as the API shows it. Most fields are in webhooks/events/data.ts. */
export function viewCommission(row: CommissionRow, currency: string): Commission {
  return { ...viewCommissionFields(row), affiliate: viewAffiliate(row.affiliate, currency) };
}

/** The fields in the audit log. */
export function commissionFields(
  row: Pick<
    CommissionRow,
    | "revenue_minor"
    | "commission_minor"
    | "currency"
    | "payout_status"
    | "referral_date"
    | "processor_payment_id"
    | "review_state"
  >,
): AuditedFields {
  return {
    revenue_amount: toMajor(row.revenue_minor, row.currency),
    commission_amount: toMajor(row.commission_minor, row.currency),
    payout_status: row.payout_status,
    referral_date: row.referral_date.toISOString(),
    processor_payment_id: row.processor_payment_id,
    review_state: row.review_state,
  };
}
