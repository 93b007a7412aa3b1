import type { FilePayoutRow } from "@findersfee/database/payouts/files";
import { writeAmount } from "../../csv/amount.ts";
import { isId } from "../../ids.ts";
import {
  ANY_AMOUNT,
  type Columns,
  cellOf,
  failureOf,
  missingOf,
  type Outcome,
  type PayoutFormat,
  type ReadResult,
} from "./format.ts";

const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ["paid", "paid"],
  // A person writes it, also about money that came back.
  ["failed", "returned"],
  ["returned", "returned"],
  ["pending", "open"],
  ["processing", "open"],
]);

/**
 * Our own format: every payout of the run that can still be paid or is paid, in any currency. The same file with each
 * outcome in `status` (and optionally the reason in a column `reason`) is its result file.
 */
export const csv: PayoutFormat = {
  header: [
    "payout_id",
    "affiliate_id",
    "affiliate_name",
    "payout_email",
    "amount",
    "currency",
    "period",
    "payment_count",
    "method",
    "status",
  ],
  payouts_per_file: null,
  pays: false,
  termsOf: () => ANY_AMOUNT,
  statuses: ["pending", "processing", "paid"],
  line: (payout: FilePayoutRow) => [
    payout.id,
    payout.affiliate_id,
    payout.affiliate_name,
    payout.payout_email ?? "",
    writeAmount(payout.amount_minor, payout.currency),
    payout.currency,
    payout.period,
    String(payout.payment_count),
    payout.method,
    payout.status,
  ],
  named_by: "id",
  nameOf: (reference) => (isId(reference) ? reference.toLowerCase() : null),
  results,
};

function results(columns: Columns): ReadResult | string[] {
  const places = {
    payout_id: columns.get("payout_id"),
    amount: columns.get("amount"),
    currency: columns.get("currency"),
    status: columns.get("status"),
  };
  const missing = missingOf(places);
  if (missing.length > 0) return missing;
  const reason = columns.get("reason");
  return (record) => {
    const status = cellOf(record, places.status);
    return {
      reference: cellOf(record, places.payout_id),
      amount: cellOf(record, places.amount),
      is_debit: false,
      currency: cellOf(record, places.currency),
      status,
      outcome: OUTCOMES.get(status.toLowerCase()) ?? null,
      reason: cellOf(record, reason) || failureOf(status, []),
      misplaced: null,
    };
  };
}
