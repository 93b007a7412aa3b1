import type { FilePayoutRow } from "@findersfee/database/payouts/files";
import { writeAmount } from "../../csv/amount.ts";
import { endingOfReference, shortReferenceOf } from "../reference.ts";
import {
  ANY_AMOUNT,
  type Columns,
  cellOf,
  failureOf,
  missingOf,
  type Outcome,
  type PaymentTerms,
  type PayoutFormat,
  type ReadResult,
} from "./format.ts";

/**
 * The states of a transfer in Wise's transaction export, in upper case there. Wise documents neither these states nor
 * the export's columns; they are taken from third-party importers.
 */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ["completed", "paid"],
  ["cancelled", "failed"],
  ["canceled", "failed"],
  ["refunded", "returned"],
  ["bounced_back", "returned"],
  ["pending", "open"],
  ["processing", "open"],
  ["in_progress", "open"],
  ["waiting", "open"],
]);

/** Currencies that recipients by email cannot get, and the limit of payments to them (wise.com/help/articles/2932105). */
const NOT_BY_EMAIL: ReadonlySet<string> = new Set(["BDT", "BWP", "CNY", "COP", "GHS", "LKR", "UAH"]);
const MOST_YEN = 1_000_000n;

function termsOf(currency: string): PaymentTerms | null {
  if (NOT_BY_EMAIL.has(currency)) return null;
  return currency === "JPY" ? { ...ANY_AMOUNT, most_minor: MOST_YEN } : ANY_AMOUNT;
}

/**
 * The file of a batch payment to recipients by email: at most 1,000 lines
 * (wise.com/us/blog/everything-about-batch-payments, wise.com/help/articles/2663302). The recipient gets the exact
 * amount (`target`), and a batch is paid from one currency. A reference has at most 10 characters with payments in USD,
 * and more in other currencies (wise.com/help/articles/2932870). The transaction export is the result file: its column
 * Reference returns the reference.
 */
export const wise: PayoutFormat = {
  header: [
    "name",
    "recipientEmail",
    "paymentReference",
    "receiverType",
    "amountCurrency",
    "amount",
    "sourceCurrency",
    "targetCurrency",
  ],
  payouts_per_file: 1_000,
  pays: true,
  termsOf,
  // Paid payouts must not be paid again.
  statuses: ["pending", "processing"],
  line: (payout: FilePayoutRow) => [
    payout.affiliate_name,
    { exact: payout.payout_email ?? "" },
    shortReferenceOf(payout.id),
    "PERSON",
    "target",
    writeAmount(payout.amount_minor, payout.currency),
    payout.currency,
    payout.currency,
  ],
  named_by: "ending",
  nameOf: endingOfReference,
  results,
};

function results(columns: Columns): ReadResult | string[] {
  const places = {
    status: columns.get("status"),
    direction: columns.get("direction"),
    "target amount (after fees)": columns.get("target amount (after fees)"),
    "target currency": columns.get("target currency"),
    reference: columns.get("reference"),
  };
  const missing = missingOf(places);
  if (missing.length > 0) return missing;
  const note = columns.get("note");
  return (record) => {
    const status = cellOf(record, places.status);
    const direction = cellOf(record, places.direction);
    return {
      reference: cellOf(record, places.reference),
      amount: cellOf(record, places["target amount (after fees)"]),
      is_debit: false,
      currency: cellOf(record, places["target currency"]),
      status,
      outcome: OUTCOMES.get(status.toLowerCase()) ?? null,
      reason: failureOf(status, [cellOf(record, note)]),
      misplaced: direction.toUpperCase() === "OUT" ? null : "Not a transfer to a recipient.",
    };
  };
}
