import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import type { StoredConditions, StoredRule } from "@findersfee/database/campaigns/rule-sets";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { PaymentLine } from "../facts/payment-fact.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";
import { addMonths } from "./limit.ts";

/** A rule that decides the lines of payments that earlier rules left. All its conditions must hold. */
export interface Rule {
  /** As decisions name it: a field of the campaign, or a `rule` of its list or of the affiliate's. */
  rule: "first_payment" | "product" | "campaign" | "rule";
  /** The stored form of `rule`. */
  stored?: StoredRule;
  conditions: StoredConditions;
  /** For the referral's first commission alone. */
  is_first_only?: true;
  reward: Rate | StoredRule["reward"];
}

/** The lists of rules that precede the fields of a campaign, in their order. */
export type RuleLists = readonly (readonly StoredRule[])[];

/**
 * The rules of a payment, in order. The fields of a campaign are rules, too: excluded products, even of a
 * first payment; the first payment's rate; rates of products; and the campaign's rate, which decides all
 * other lines.
 */
export function rulesOf({ first_payment, products, rate }: PayingTerms, lists: RuleLists = []): Rule[] {
  const of_products = products.map(({ product_id, ...reward }) => {
    return { rule: "product" as const, conditions: { products: [product_id] }, reward };
  });
  const of_first: Rule[] =
    first_payment === null
      ? []
      : [
          ...of_products.filter(({ reward }) => reward.value === 0n),
          { rule: "first_payment" as const, conditions: {}, reward: first_payment },
        ].map((rule) => ({ ...rule, is_first_only: true as const }));
  return [
    ...lists.flatMap((list) => list.map(ofStored)),
    ...of_first,
    ...of_products,
    { rule: "campaign", conditions: {}, reward: rate },
  ];
}

function ofStored(stored: StoredRule): Rule {
  return { rule: "rule", stored, conditions: stored.conditions, reward: stored.reward };
}

/** The properties of a payment as a whole that conditions of rules ask for. */
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
  /** The affiliate's then; null: none. */
  tier: string | null;
  /** The affiliate's when the payment was first decided. */
  tags: readonly string[];
}

/** Whether a payment meets all conditions but those that choose its lines. */
function meets(payment: RuledPayment, conditions: StoredConditions): boolean {
  const { payments, months, countries, currencies, amount, metadata, promo_codes, tiers, tags } = conditions;
  return (
    isWithin(payments, payment.number) &&
    isInMonths(months, payment) &&
    isAmong(countries, payment.country) &&
    isAmong(currencies, payment.currency) &&
    isAmong(tiers, payment.tier) &&
    (tags === undefined || tags.some((tag) => payment.tags.includes(tag))) &&
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
function chooses({ products, intervals }: StoredConditions, { product_id, interval }: PaymentLine): boolean {
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

/**
 * The rules that can decide a line of a payment: rules with conditions that it meets, up to the first that
 * takes any line.
 */
export function rulesFor(rules: readonly Rule[], payment: RuledPayment): Rule[] {
  const met: Rule[] = [];
  for (const rule of rules) {
    if (rule.is_first_only === true && !payment.is_first) continue;
    if (!meets(payment, rule.conditions)) continue;
    met.push(rule);
    if (!choosesLines(rule.conditions)) break;
  }
  return met;
}

/** A rule, and the part of the revenue that it decided, in minor units. */
export interface RuledPart {
  rule: Rule;
  of_minor: bigint;
}

/**
 * Divides a payment by the first rule that matches each line. Revenue that no line names is like a line without a product. A fixed
 * amount requires something paid for, so such a rule decides a credited line (a plan change), but is no part.
 */
export function divideByRules(
  { revenue_minor, lines }: { revenue_minor: bigint; lines: readonly PaymentLine[] },
  rules: readonly Rule[],
): RuledPart[] {
  const parts: RuledPart[] = [];
  let rest_minor = revenue_minor;
  let left = lines;
  for (const rule of rules) {
    const { conditions, reward } = rule;
    let of_minor = rest_minor;
    if (choosesLines(conditions)) {
      const own = left.filter((line) => chooses(conditions, line));
      if (own.length === 0) continue;
      left = left.filter((line) => !chooses(conditions, line));
      of_minor = own.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
      rest_minor -= of_minor;
    } else if (of_minor === 0n) continue;
    if (reward.type !== "fixed" || of_minor > 0n) parts.push({ rule, of_minor });
  }
  return parts;
}
