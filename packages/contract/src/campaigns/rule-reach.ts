import type { CommissionRule } from "./rules.ts";

type Conditions = CommissionRule["conditions"];

/** The parts of a rule that its place in the list depends on. */
export interface PlacedRule {
  conditions: Conditions;
  reward: Pick<CommissionRule["reward"], "type">;
}

/** How long a campaign pays. */
export interface PayingLimit {
  limit_type: "none" | "months" | "payments";
  limit_amount: number | null;
}

/** Why a rule never matches. */
export type Unreachable =
  /** An earlier rule, given by its index, takes all that it would. */
  | { reason: "earlier_rule"; index: number }
  /** Earlier rules, given by their indexes, take all that it would, each a part. */
  | { reason: "earlier_rules"; indexes: number[] }
  /** No payment meets all its conditions. */
  | { reason: "contradiction" }
  /** The campaign has stopped paying by then. */
  | { reason: "limit" }
  /** The same, unless earlier payments were reversed or earned nothing, because these do not count toward the limit. */
  | { reason: "limit_of_payments" };

/**
 * For each rule of a list, in order, why it never matches; null if it can, or if nothing shows that it cannot: of several earlier
 * rules together, it finds those that lack a part of the later one in the same condition. `excludes` says that something else than
 * the list gives payments nothing.
 */
export function unreachableRules(
  rules: readonly PlacedRule[],
  { limit, excludes = false }: { limit: PayingLimit; excludes?: boolean },
): (Unreachable | null)[] {
  const has_exclusions = excludes || rules.some(({ reward }) => reward.type === "nothing");
  return rules.map(({ conditions }, place) => {
    if (isContradiction(conditions)) return { reason: "contradiction" };
    const earlier = rules.slice(0, place).map((rule) => rule.conditions);
    const index = earlier.findIndex((other) => takesAll(other, conditions));
    if (index !== -1) return { reason: "earlier_rule", index };
    const indexes = takersOfAll(earlier, conditions);
    if (indexes !== null) return { reason: "earlier_rules", indexes };
    return isAfterLimit(conditions, { limit, has_exclusions });
  });
}

/** Whether all lines that meet `later` meet `earlier`, too. */
function takesAll(earlier: Conditions, later: Conditions): boolean {
  return (
    containsAll(earlier.products, later.products) &&
    containsAll(earlier.intervals, later.intervals) &&
    containsRange(earlier.payments, later.payments) &&
    containsRange(earlier.months, monthsOf(later)) &&
    containsAll(earlier.countries, later.countries) &&
    containsAll(earlier.currencies, currenciesOf(later)) &&
    containsAmount(earlier.amount, amountOf(later)) &&
    containsMetadata(earlier.metadata, later.metadata) &&
    containsAll(earlier.tiers, later.tiers) &&
    containsAll(earlier.tags, later.tags) &&
    containsAll(earlier.promo_codes?.map(comparedCode), later.promo_codes?.map(comparedCode))
  );
}

type Condition = keyof Conditions;
const CONDITIONS: readonly Condition[] = [
  ...(["products", "intervals", "payments", "months", "countries", "currencies", "amount"] as const),
  ...(["metadata", "promo_codes", "tiers", "tags"] as const),
];

/**
 * The indexes of earlier rules that take all lines of a later one together, none of them dispensable; null: nothing shows such rules.
 * Each takes a part of it by the same condition, as rules for the first payment and for all after it do.
 */
function takersOfAll(earlier: readonly Conditions[], later: Conditions): number[] | null {
  for (const condition of CONDITIONS) {
    const isEnough = (indexes: readonly number[]) => {
      const rules = earlier.filter((_, index) => indexes.includes(index));
      return rules.length > 1 && joined(condition, rules, later).some((part) => takesAll(part, later));
    };
    const near = earlier.flatMap((conditions, index) =>
      takesAll({ ...conditions, [condition]: undefined }, later) ? index : [],
    );
    if (!isEnough(near)) continue;
    return near.reduce((needed, index) => {
      const others = needed.filter((other) => other !== index);
      return isEnough(others) ? others : needed;
    }, near);
  }
  return null;
}

/** The parts of a later rule's condition that several rules take together. */
function joined(condition: Condition, rules: readonly Conditions[], later: Conditions): Conditions[] {
  switch (condition) {
    case "payments":
    case "months": {
      const ranges = rules.flatMap((rule) => rule[condition] ?? []);
      return joinedRanges(ranges.map(({ from = 1, to = END }) => ({ from, below: to + 1 }))).map(
        ({ from, below }) => ({ [condition]: { from, to: below - 1 } }),
      );
    }
    case "amount": {
      const currency = amountOf(later)?.currency ?? "";
      const amounts = rules.flatMap(({ amount }) => (amount?.currency === currency ? amount : []));
      return joinedRanges(amounts.map(({ from = -END, below = END }) => ({ from, below }))).map((range) => ({
        amount: { currency, ...range },
      }));
    }
    case "metadata": {
      const key = later.metadata?.key ?? "";
      const found = rules.flatMap(({ metadata }) => (metadata?.key === key ? metadata.values : []));
      return [{ metadata: { key, values: found } }];
    }
    default:
      return [{ [condition]: rules.flatMap((rule) => rule[condition] ?? []) }];
  }
}

const END = Number.POSITIVE_INFINITY;

/** Ranges without those that touch another one, which is longer instead. */
function joinedRanges(ranges: readonly { from: number; below: number }[]) {
  const all: { from: number; below: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.below) last.below = Math.max(last.below, range.below);
    else all.push({ ...range });
  }
  return all;
}

function isContradiction(conditions: Conditions): boolean {
  const { payments, months, amount } = conditions;
  const { from: from_amount = 0, below } = amount ?? {};
  return (
    isEmptyRange(payments) ||
    isEmptyRange(months) ||
    // The first payment is in the first month.
    (payments?.to === 1 && (months?.from ?? 1) > 1) ||
    currenciesOf(conditions)?.length === 0 ||
    (below !== undefined && amount?.from !== undefined && from_amount >= below)
  );
}

function isAfterLimit(
  { payments, months }: Conditions,
  { limit: { limit_type, limit_amount }, has_exclusions }: { limit: PayingLimit; has_exclusions: boolean },
): Unreachable | null {
  if (limit_type === "none" || limit_amount === null) return null;
  if (limit_type === "payments") {
    return (payments?.from ?? 1) > limit_amount ? { reason: "limit_of_payments" } : null;
  }
  // The months of a rule count from the first payment that earned or was excluded. The months of the limit
  // count from the first that earned.
  return (months?.from ?? 1) > limit_amount && !has_exclusions ? { reason: "limit" } : null;
}

/** The first payment is in the first month. */
function monthsOf({ payments, months }: Conditions): Conditions["months"] {
  return payments?.to === 1 ? { from: 1, to: 1 } : months;
}

/** The currencies that a rule matches; undefined: any. */
function currenciesOf({ currencies, amount }: Conditions): readonly string[] | undefined {
  if (amount === undefined) return currencies;
  return currencies === undefined || currencies.includes(amount.currency) ? [amount.currency] : [];
}

/** The amounts that a rule matches: with one currency, all of it. */
function amountOf({ currencies, amount }: Conditions): Conditions["amount"] {
  const [currency, ...others] = currencies ?? [];
  return amount ?? (currency === undefined || others.length > 0 ? undefined : { currency });
}

function containsAll(values: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
  return values === undefined || (others?.every((value) => values.includes(value)) ?? false);
}

function containsRange(range: Conditions["payments"], other: Conditions["payments"]): boolean {
  if (range === undefined) return true;
  return (
    (range.from ?? 1) <= (other?.from ?? 1) &&
    (range.to ?? Number.POSITIVE_INFINITY) >= (other?.to ?? Number.POSITIVE_INFINITY)
  );
}

function containsAmount(amount: Conditions["amount"], other: Conditions["amount"]): boolean {
  if (amount === undefined) return true;
  if (amount.currency !== other?.currency) return false;
  return (
    (amount.from ?? Number.NEGATIVE_INFINITY) <= (other.from ?? Number.NEGATIVE_INFINITY) &&
    (amount.below ?? Number.POSITIVE_INFINITY) >= (other.below ?? Number.POSITIVE_INFINITY)
  );
}

function containsMetadata(metadata: Conditions["metadata"], other: Conditions["metadata"]): boolean {
  return (
    metadata === undefined || (metadata.key === other?.key && containsAll(metadata.values, other.values))
  );
}

function isEmptyRange(range: Conditions["payments"]): boolean {
  return range !== undefined && (range.from ?? 1) > (range.to ?? Number.POSITIVE_INFINITY);
}

/** Letters outside of ASCII are compared as they are: in doubt, a rule counts as reachable. */
function comparedCode(code: string): string {
  return /^\p{ASCII}*$/u.test(code) ? code.toLowerCase() : code;
}
