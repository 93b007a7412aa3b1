import type { BillingInterval, CommissionRule } from "@findersfee/contract/campaigns/rules";
import { formatMoney } from "./money.ts";

type Conditions = CommissionRule["conditions"];
type Range = NonNullable<Conditions["payments"]>;
type Amount = NonNullable<Conditions["amount"]>;

/** The parts of a rule that its sentence needs. */
export interface SentenceRule {
  conditions: Omit<Conditions, "metadata"> & {
    /** Without a key: that there is such a condition. */
    metadata?: { key?: string; values: readonly string[] } | undefined;
  };
  reward: CommissionRule["reward"];
}

/** The parts of the sentence in a language. */
export interface RuleWords {
  locale: string;
  nothing: string;
  /** The reward and its subject: a percentage of the subject, or an amount or nothing for it. */
  reward: (reward: string, subject: string, is_percentage: boolean) => string;
  any_payment: string;
  some_payments: string;
  intervals: Record<BillingInterval, string>;
  products: (products: string, count: number) => string;
  lines_of: (lines: string, products: string) => string;
  /** Payments as the subject of the reward. */
  payments: (range: Range) => string;
  /** Payments as a condition, next to the subject of the reward. */
  in_payments: (range: Range) => string;
  months: (range: Range) => string;
  countries: (countries: string) => string;
  currencies: (currencies: string) => string;
  amount: (from: string | null, below: string | null) => string;
  metadata: (key: string | null, values: string) => string;
  promo_codes: (codes: string, count: number) => string;
  /** `names`: null where they are unknown. */
  tiers: (names: string | null, count: number) => string;
  /** Undefined in the portal, where no rule has them. */
  tags?: (tags: string) => string;
  more: (count: number) => string;
}

/** More values of a condition are counted. */
const MOST_VALUES = 5;

/**
 * A rule in a few words: "40% of yearly plans for the first 12 months, in the US and Canada". `known`: the
 * tiers with names that the reader may see.
 */
export function ruleSentence(
  { conditions, reward }: SentenceRule,
  words: RuleWords,
  known: readonly { id: string; name: string }[] = [],
): string {
  const { payments, months, countries, currencies, amount, metadata, promo_codes, tiers, tags } = conditions;
  const lines = linesOf(conditions, words);
  const subject = lines ?? paymentsOf(conditions, words);
  const during = [
    lines !== null && payments !== undefined ? words.in_payments(payments) : null,
    months === undefined ? null : words.months(months),
  ].filter((part) => part !== null);
  const clauses = [
    countries && words.countries(listOf(countries.map(countryName(words.locale)), words)),
    currencies && words.currencies(listOf(currencies, words, "disjunction")),
    amount && words.amount(...limitsOf(amount, words.locale)),
    metadata && words.metadata(metadata.key ?? null, listOf(metadata.values, words, "disjunction")),
    promo_codes && words.promo_codes(listOf(promo_codes, words, "disjunction"), promo_codes.length),
    tiers && words.tiers(tierNames(tiers, known, words), tiers.length),
    tags && words.tags?.(listOf(tags.map(quoted), words, "disjunction")),
  ].filter((clause) => clause !== undefined);
  const main = words.reward(rewardOf(reward, words), subject, reward.type === "percentage");
  const [first, ...others] = during.length === 0 ? clauses : ["", ...clauses];
  const start = [main, ...during, first].filter(Boolean).join(" ");
  return [start, ...others].join(", ");
}

function tierNames(
  ids: readonly string[],
  known: readonly { id: string; name: string }[],
  words: RuleWords,
): string | null {
  const names = ids.map((id) => known.find((tier) => tier.id === id)?.name);
  const told = names.filter((name) => name !== undefined);
  return told.length < ids.length || told.length === 0
    ? null
    : listOf(told.map(quoted), words, "disjunction");
}

function rewardOf({ type, amount, amounts }: SentenceRule["reward"], words: RuleWords): string {
  if (type === "percentage")
    return orDots(amount ?? Number.NaN, () => formatPercent(amount ?? 0, words.locale));
  if (type === "nothing") return words.nothing;
  const told = amounts.map((item) =>
    orDots(item.amount, () => formatMoney(item.amount, item.currency, words.locale)),
  );
  return listOf(told, words, "disjunction");
}

/** A form shows the sentence while a number is not typed yet. */
const orDots = (number: number, tell: () => string) => (Number.isNaN(number) ? "…" : tell());

/** Percent with at most 4 decimals: `12.5%`. */
export function formatPercent(percent: number, locale = "en-US"): string {
  const format = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 });
  return format.format(percent / 100);
}

/** The lines that a rule chooses; null: it takes whole payments. */
function linesOf({ products, intervals }: SentenceRule["conditions"], words: RuleWords): string | null {
  const of_products =
    products === undefined ? null : words.products(listOf(products, words), products.length);
  if (intervals === undefined) return of_products;
  const lines = listOf(
    intervals.map((interval) => words.intervals[interval]),
    words,
  );
  return of_products === null ? lines : words.lines_of(lines, of_products);
}

function paymentsOf(
  { payments, months: _months, ...others }: SentenceRule["conditions"],
  words: RuleWords,
): string {
  if (payments !== undefined && !(payments.from === undefined && payments.to === undefined)) {
    return words.payments(payments);
  }
  return Object.values(others).some((condition) => condition !== undefined)
    ? words.some_payments
    : words.any_payment;
}

function limitsOf({ currency, from, below }: Amount, locale: string): [string | null, string | null] {
  const told = (amount: number | undefined) =>
    amount === undefined ? null : orDots(amount, () => formatMoney(amount, currency, locale));
  return [told(from), told(below)];
}

function listOf(
  values: readonly string[],
  words: RuleWords,
  type: Intl.ListFormatType = "conjunction",
): string {
  const rest = values.length - MOST_VALUES;
  const told = rest > 1 ? [...values.slice(0, MOST_VALUES), words.more(rest)] : values;
  return new Intl.ListFormat(words.locale, { type }).format(told);
}

const quoted = (text: string) => `“${text}”`;

const COUNTRY = /^[A-Z]{2}$/;

/** The name of a country by its two letters; other texts stay. */
export function countryName(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames([locale], { type: "region" });
  return (code) => (COUNTRY.test(code) ? (names.of(code) ?? code) : code);
}
