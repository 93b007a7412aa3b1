import type { Adjustment } from "@findersfee/contract/ledger/adjustments";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { AdjustmentRow } from "@findersfee/database/ledger/adjustments";
import { toMajor } from "../../money.ts";

/** An adjustment as the API shows it. */
export function viewAdjustment({ amount_minor, created_at, ...row }: AdjustmentRow): Adjustment {
  return {
    id: row.id,
    affiliate_id: row.affiliate_id,
    amount: toMajor(amount_minor, row.currency),
    currency: row.currency,
    reason: row.reason,
    commission_id: row.commission_id,
    payout_status: row.payout_status,
    payout_id: row.payout_id,
    created_at: created_at.toISOString(),
  };
}

/** The adjustment of a line; null: the line is a commission. */
export function viewLineAdjustment({
  adjustment_reason,
  adjusted_commission_id,
}: {
  adjustment_reason: string | null;
  adjusted_commission_id: string | null;
}): Pick<Adjustment, "reason" | "commission_id"> | null {
  return adjustment_reason === null
    ? null
    : { reason: adjustment_reason, commission_id: adjusted_commission_id };
}

/** The fields in the audit log. The reason is in the adjustment alone, where the erasure of the affiliate replaces it. */
export function adjustmentFields(row: AdjustmentRow): AuditedFields {
  const { affiliate_id, amount, commission_id, payout_status } = viewAdjustment(row);
  return { affiliate_id, amount, commission_id, payout_status };
}
