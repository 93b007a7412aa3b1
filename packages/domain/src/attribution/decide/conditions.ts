import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import type { StoredConditions } from "@findersfee/database/campaigns/rule-sets";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { PaymentLine } from "../facts/payment-fact.ts";
import { addMonths } from "./limit.ts";

/** What the conditions of rules ask of a payment as a whole. */
export interface RuledPayment {
  /** Whether its commission is the referral's first. */
  is_first: boolean;
  /** Its place among the referral's payments that earned, or that a rule gave nothing, from 1 on. */
  number: number;
  paid_at: Date;
  /** When the first of these was made; null: this would be it. */
  first_at: Date | null;
  /** ISO 3166, two capital letters; null: nobody reported it. */
  country: string | null;
  /** ISO 4217. */
  currency: string;
  /** Net of tax and discounts. */
  revenue_minor: bigint;
  metadata: Readonly<Record<string, string>>;
  /** Their texts and the processor's ids. */
  promo_codes: readonly string[];
}

/** Whether a payment meets all conditions but those that choose its lines. */
export function meets(payment: RuledPayment, conditions: StoredConditions): boolean {
  const { payments, months, countries, currencies, amount, metadata, promo_codes } = conditions;
  return (
    isWithin(payments, payment.number) &&
    isInMonths(months, payment) &&
    isAmong(countries, payment.country) &&
    isAmong(currencies, payment.currency) &&
    isOfAmount(amount, payment) &&
    (metadata === undefined || isAmong(metadata.values, payment.metadata[metadata.key])) &&
    (promo_codes === undefined || shares(promo_codes, payment.promo_codes))
  );
}

/** Whether conditions choose some lines of a payment. */
export function choosesLines({ products, intervals }: StoredConditions): boolean {
  return products !== undefined || intervals !== undefined;
}

/** Whether a rule with these conditions decides a line. */
export function chooses(
  { products, intervals }: StoredConditions,
  { product_id, interval }: PaymentLine,
): boolean {
  return isAmong(products, product_id) && isAmong(intervals, interval satisfies BillingInterval | undefined);
}

function isWithin(range: StoredConditions["payments"], number: number): boolean {
  if (range === undefined) return true;
  return (range.from ?? 1) <= number && number <= (range.to ?? Number.POSITIVE_INFINITY);
}

/** The first month lasts until the same day and time of the next one. */
function isInMonths(months: StoredConditions["months"], { first_at, paid_at }: RuledPayment): boolean {
  if (months === undefined) return true;
  const { from = 1, to } = months;
  const start = first_at ?? paid_at;
  return (
    (from === 1 || paid_at >= addMonths(start, from - 1)) &&
    (to === undefined || paid_at < addMonths(start, to))
  );
}

function isAmong(values: readonly string[] | undefined, value: string | null | undefined): boolean {
  return values === undefined || (value !== null && value !== undefined && values.includes(value));
}

function isOfAmount(amount: StoredConditions["amount"], { currency, revenue_minor }: RuledPayment): boolean {
  if (amount === undefined) return true;
  const { from_minor, below_minor } = amount;
  if (amount.currency !== currency || (from_minor !== undefined && revenue_minor < from_minor)) return false;
  return below_minor === undefined || revenue_minor < below_minor;
}

/** Whether one of the wanted codes was used, in any case. */
function shares(wanted: readonly string[], used: readonly string[]): boolean {
  if (used.length === 0) return false;
  const known = new Set(used.map(lowerCase));
  return wanted.some((code) => known.has(lowerCase(code)));
}
