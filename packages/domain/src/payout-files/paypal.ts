import type { FilePayoutRow } from "@findersfee/database/payout-files";
import { writeAmount } from "./amount.ts";
import {
  type Columns,
  cellOf,
  failureOf,
  missingOf,
  type Outcome,
  type PayoutFormat,
  placeOf,
  type ReadResult,
} from "./format.ts";
import { idOf, referenceOf } from "./reference.ts";

/**
 * The states of a payout item (developer.paypal.com/payouts/use-payouts/track-payout-item-status), and the words of
 * the activity report for them (developer.paypal.com/reports/reference/changed-fields). What PayPal holds, reviews or
 * waits for the recipient to claim can still become either.
 */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ["success", "paid"],
  ["completed", "paid"],
  ["failed", "failed"],
  ["returned", "failed"],
  ["blocked", "failed"],
  ["refunded", "failed"],
  ["reversed", "failed"],
  ["denied", "failed"],
  ["canceled", "failed"],
  ["cancelled", "failed"],
  ["pending", "open"],
  ["processing", "open"],
  ["unclaimed", "open"],
  ["onhold", "open"],
  ["on hold", "open"],
  ["held", "open"],
]);

/**
 * Where reports may bring back what PayPal calls Customer ID in the payment file, and unique or sender item id
 * elsewhere. Its pages do not say which column of which report that is, so the one that has a reference of ours counts.
 */
const REFERENCES = [
  "customer id",
  "unique id",
  "sender item id",
  "sender_item_id",
  "item id",
  "custom number",
  "invoice number",
];

/** What an amount of a report of all activity is called there: money that leaves the account has a minus in it. */
const DEBITS = ["gross"];
const AMOUNTS = ["amount", "payment amount"];
const CURRENCIES = ["currency", "currency code"];
const STATUSES = ["status", "transaction status", "transaction_status"];
const WORDS = ["error message", "error code", "reason"];

/**
 * The payment file of Payouts in PayPal's web pages, once called mass payments: no header, at most 5,000 lines of one
 * currency; recipient, amount, currency, customer id (at most 30 characters without spaces), note (at most 400),
 * wallet (developer.paypal.com/payouts/use-payouts/send-money/use-web-ui). Its activity report is the result file.
 */
export const paypal: PayoutFormat = {
  header: null,
  payouts_per_file: 5_000,
  pays: true,
  // What is paid must not be paid again.
  statuses: ["pending", "processing"],
  line: (payout: FilePayoutRow) => [
    { exact: payout.payout_email ?? "" },
    writeAmount(payout.amount_minor, payout.currency),
    payout.currency,
    referenceOf(payout.id),
    `Affiliate payout ${payout.period}`,
    "PAYPAL",
  ],
  named_by: "id",
  nameOf: idOf,
  results,
};

function results(columns: Columns): ReadResult | string[] {
  const gross = placeOf(columns, DEBITS);
  const places = {
    status: placeOf(columns, STATUSES),
    currency: placeOf(columns, CURRENCIES),
    amount: gross ?? placeOf(columns, AMOUNTS),
    "customer id": placeOf(columns, REFERENCES),
  };
  const missing = missingOf(places);
  if (missing.length > 0) return missing;
  const references = REFERENCES.flatMap((name) => columns.get(name) ?? []);
  const words = WORDS.flatMap((name) => columns.get(name) ?? []);
  return (record) => {
    const status = cellOf(record, places.status);
    const named = references.map((place) => cellOf(record, place)).filter((text) => text !== "");
    return {
      reference: named.find((text) => idOf(text) !== null) ?? named[0] ?? "",
      amount: cellOf(record, places.amount),
      is_debit: gross !== undefined,
      currency: cellOf(record, places.currency),
      status,
      outcome: OUTCOMES.get(status.toLowerCase()) ?? null,
      reason: failureOf(
        status,
        words.map((place) => cellOf(record, place)),
      ),
      misplaced: null,
    };
  };
}
