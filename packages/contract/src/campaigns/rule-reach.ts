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
  /** No payment meets all its conditions. */
  | { reason: "contradiction" }
  /** The campaign has stopped paying by then. */
  | { reason: "limit" }
  /** The same, unless earlier payments were reversed or earned nothing, because these do not count toward the limit. */
  | { reason: "limit_of_payments" };

/**
 * For each rule of a list, in order, why it never matches; null if it can, or if nothing shows that it cannot: it compares rules one
 * by one, not several earlier ones together. `excludes` says that something else than the list gives payments nothing.
 */
export function unreachableRules(
  rules: readonly PlacedRule[],
  { limit, excludes = false }: { limit: PayingLimit; excludes?: boolean },
): (Unreachable | null)[] {
  const has_exclusions = excludes || rules.some(({ reward }) => reward.type === "nothing");
  return rules.map(({ conditions }, place) => {
    if (isContradiction(conditions)) return { reason: "contradiction" };
    const index = rules.slice(0, place).findIndex((earlier) => takesAll(earlier.conditions, conditions));
    if (index !== -1) return { reason: "earlier_rule", index };
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
    containsAmount(earlier.amount, later.amount) &&
    containsMetadata(earlier.metadata, later.metadata) &&
    containsAll(earlier.tiers, later.tiers) &&
    containsAll(earlier.tags, later.tags) &&
    containsAll(earlier.promo_codes?.map(comparedCode), later.promo_codes?.map(comparedCode))
  );
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
