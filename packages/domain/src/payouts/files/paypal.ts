import type { FilePayoutRow } from "@findersfee/database/payouts/files";
import { writeAmount } from "../../csv/amount.ts";
import { idOf, referenceOf } from "../reference.ts";
import {
  ANY_AMOUNT,
  type Columns,
  cellOf,
  failureOf,
  missingOf,
  type Outcome,
  type PaymentTerms,
  type PayoutFormat,
  placeOf,
  type ReadResult,
} from "./format.ts";

/**
 * The states of a payout item (developer.paypal.com/payouts/use-payouts/track-payout-item-status), and their names in
 * the activity report (developer.paypal.com/reports/reference/changed-fields). Payments that PayPal holds, reviews or
 * that wait for the recipient can still succeed or fail.
 */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ["success", "paid"],
  ["completed", "paid"],
  ["failed", "failed"],
  ["returned", "returned"],
  ["blocked", "failed"],
  ["refunded", "returned"],
  ["reversed", "returned"],
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
 * Columns that may return the Customer ID of the payment file, elsewhere called unique or sender item id. PayPal's
 * pages do not name the column for each report, so the column that contains one of our references counts.
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

/** The amount column in reports of all activity, where money that leaves the account is negative. */
const DEBITS = ["gross"];
const AMOUNTS = ["amount", "payment amount"];
const CURRENCIES = ["currency", "currency code"];
const STATUSES = ["status", "transaction status", "transaction_status"];
const WORDS = ["error message", "error code", "reason"];

/** The currencies of Payouts (developer.paypal.com/docs/archive/mass-pay/integration-guide/currency-codes). */
const PAID: ReadonlySet<string> = new Set(
  "AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD".split(" "),
);

/** "This currency does not support decimals. Decimal amounts will throw an error." JPY has none anyway. */
const WHOLE: ReadonlySet<string> = new Set(["HUF", "TWD"]);

function termsOf(currency: string): PaymentTerms | null {
  if (!PAID.has(currency)) return null;
  return WHOLE.has(currency) ? { ...ANY_AMOUNT, step_minor: 100n } : ANY_AMOUNT;
}

/**
 * The payment file of Payouts in PayPal's web pages, once called mass payments: no header, at most 5,000 lines of one
 * currency; recipient, amount, currency, customer id (at most 30 characters without spaces), note (at most 400),
 * wallet (developer.paypal.com/payouts/use-payouts/send-money/use-web-ui). Its activity report is the result file.
 */
export const paypal: PayoutFormat = {
  header: null,
  payouts_per_file: 5_000,
  pays: true,
  termsOf,
  // Paid payouts must not be paid again.
  statuses: ["pending", "processing"],
  line: (payout: FilePayoutRow) => [
    { exact: payout.payout_email ?? "" },
    WHOLE.has(payout.currency)
      ? String(payout.amount_minor / 100n)
      : writeAmount(payout.amount_minor, payout.currency),
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
