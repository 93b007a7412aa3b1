import type { PayoutPreview, PayoutRun } from "@findersfee/contract/payout-runs";
import type { AuditedFields } from "@findersfee/database/audit-log";
import type { PayoutRunWithCountRow, PreviewRow } from "@findersfee/database/payout-runs";
import { isPayable } from "../ledger/payable.ts";
import { toMajor } from "../money.ts";
import { viewMinimums } from "./minimum.ts";

export function viewPayoutRun(row: PayoutRunWithCountRow): PayoutRun {
  return {
    id: row.id,
    period: row.period,
    cutoff_at: row.cutoff_at.toISOString(),
    minimum_payouts: viewMinimums(row.minimum_payouts),
    method: row.method,
    started_by: row.started_by,
    payouts: row.payouts,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

export function viewPreview(row: PreviewRow, minimum_minor: bigint): PayoutPreview {
  const { affiliate_id, affiliate_name, payout_email, currency, due_minor, payment_count, held_minor } = row;
  return {
    affiliate_id,
    affiliate_name,
    payout_email,
    currency,
    outcome: outcomeOf(row, minimum_minor),
    amount: toMajor(due_minor, currency),
    payment_count,
    held_amount: toMajor(held_minor, currency),
  };
}

function outcomeOf(
  { due_minor, payment_count }: PreviewRow,
  minimum_minor: bigint,
): PayoutPreview["outcome"] {
  if (payment_count === 0) return "held";
  if (due_minor < 0n) return "negative";
  return isPayable(due_minor, minimum_minor) ? "included" : "below_minimum";
}

/** The fields in the audit log. */
export function payoutRunFields({ period, cutoff_at, minimum_payouts, method }: PayoutRun): AuditedFields {
  return { period, cutoff_at, minimum_payouts, method };
}
