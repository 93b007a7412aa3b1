import type { Payout, ReducedPayout } from "@findersfee/contract/payouts";
import type { PayoutRow, ReducedPayoutRow } from "@findersfee/database/rows";
import { viewAffiliate } from "../affiliates/view.ts";
import { toMajor } from "../money.ts";

/** A payout with its affiliate, as the API shows it. */
export function viewPayout(row: PayoutRow, currency: string): Payout {
  return {
    ...viewReducedPayout(row),
    status: row.status,
    method: row.method,
    affiliate: viewAffiliate(row.affiliate, currency),
  };
}

/** The payout inside a commission. */
export function viewReducedPayout(row: ReducedPayoutRow): ReducedPayout {
  return {
    id: row.id,
    affiliate_name: row.affiliate_name,
    payout_email: row.payout_email,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    period: row.period,
    payment_count: row.payment_count,
    created_at: row.created_at.toISOString(),
  };
}
