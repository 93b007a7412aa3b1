import { convert, type RateOf } from "./exchange-rates.ts";
import {
  type Conditions,
  type Line,
  type Payment,
  type Rate,
  type Rule,
  type Terms,
  type TierReward,
  unitOf,
} from "./history.ts";

/*
 * Amounts by "Commission amounts" and "Refunds and disputes" of docs/concepts.md. All are in minor units.
 */

/** Exact amounts are in millionths: a percentage has at most four decimals. */
const EXACT = 1_000_000n;

export interface Earning {
  outcome: string;
  amount: number;
}

/** Divides and rounds half away from zero. */
function divide(amount: bigint, by: bigint): number {
  const doubled = 2n * (amount < 0n ? -amount : amount);
  const rounded = (doubled + by) / (2n * by);
  return Number(amount < 0n ? -rounded : rounded);
}

/** What remains of an amount after a part of its payment was reversed. */
export function reduce(amount: number, { paid, reversed }: { paid: number; reversed: number }): number {
  if (paid <= 0) return amount;
  return divide(BigInt(amount) * BigInt(Math.max(0, paid - reversed)), BigInt(paid));
}

/** A percentage of an amount. */
export function percentOf(amount: number, percent: number): number {
  return divide(BigInt(amount) * BigInt(Math.round(percent * 10_000)), EXACT);
}

/** A payment among the others of its referral. */
export interface Placed {
  /** Whether its commission would be the referral's first. */
  is_first: boolean;
  /** From 1 on, counting those that earned and those that rules gave nothing. */
  number: number;
  /** The rules that the affiliate has of its own when it is paid. */
  own_rules: readonly Rule[];
  /** The tier that the affiliate has then; null: none. */
  tier: number | null;
  /** Whether it is in the n-th month or a later one, since the first of these payments. */
  isFromMonth: (month: number) => boolean;
}

/** The amount of the lines that a rule decided. */
interface Part {
  from: Rule | "product" | "campaign";
  reward: Rate | Rule["reward"];
  amount: number;
}

/** A tier without a commission pays as the one before. */
function rulesOfTier(tiers: readonly TierReward[], { tier }: Placed): Rule[] {
  const reward = tiers
    .slice(0, tier === null ? 0 : tier + 1)
    .findLast((one): one is Rule["reward"] => one !== "as_before");
  return reward === undefined ? [] : [{ conditions: {}, reward }];
}

/**
 * Each line goes to the first rule that takes it: the affiliate's, the campaign's, and then what the campaign's rates are as rules. A
 * first payment has the first payment's rate in place of all others but those of 0.
 */
function partsOf(payment: Payment, { terms, placed }: { terms: Terms; placed: Placed }): Part[] {
  const first = placed.is_first ? terms.first_payment : null;
  const rates = Object.entries(terms.products).filter(([, { amount }]) => first === null || amount === 0);
  const all: (Omit<Part, "amount"> & { conditions: Conditions })[] = [
    ...[...placed.own_rules, ...rulesOfTier(terms.tiers, placed), ...terms.rules]
      .filter(({ conditions }) => isMet(conditions, payment, placed))
      .map((rule) => ({ from: rule, conditions: rule.conditions, reward: rule.reward })),
    ...rates.map(([product, rate]) => ({
      from: "product" as const,
      conditions: { products: [product] },
      reward: rate,
    })),
    { from: "campaign" as const, conditions: {}, reward: first ?? terms.rate },
  ];
  const named = sumOf(payment.lines.map(({ amount }) => amount));
  const lines = [...payment.lines, { product: null, amount: payment.revenue - named, interval: null }];
  return all.flatMap(({ from, conditions, reward }, index) => {
    const own = lines.filter((line) => all.findIndex((other) => takes(other.conditions, line)) === index);
    const amount = sumOf(own.map((line) => line.amount));
    const is_for_lines = conditions.products !== undefined || conditions.intervals !== undefined;
    if (own.length === 0 || (amount === 0 && !is_for_lines)) return [];
    return [{ from, reward, amount }];
  });
}

function takes({ products, intervals }: Conditions, { product, interval }: Line): boolean {
  if (products !== undefined && (product === null || !products.includes(product))) return false;
  return intervals === undefined || (interval !== null && intervals.includes(interval));
}

function isMet(conditions: Conditions, payment: Payment, { number, isFromMonth, tier }: Placed): boolean {
  const { payments = {}, months = {}, countries, currencies, amount, plans, tiers } = conditions;
  if (number < (payments.from ?? 1) || number > (payments.to ?? number)) return false;
  if (!isFromMonth(months.from ?? 1) || (months.to !== undefined && isFromMonth(months.to + 1))) return false;
  if (countries !== undefined && !countries.includes(payment.country ?? "")) return false;
  if (currencies !== undefined && !currencies.includes(payment.currency)) return false;
  if (plans !== undefined && !plans.includes(payment.plan ?? "")) return false;
  if (tiers !== undefined && (tier === null || !tiers.includes(tier))) return false;
  if (amount === undefined) return true;
  const revenue = payment.revenue / unitOf(payment.currency);
  if (amount.currency !== payment.currency || revenue < (amount.from ?? revenue)) return false;
  return amount.below === undefined || revenue < amount.below;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** What a payment of a referral earns. */
export function earn(
  payment: Payment,
  {
    terms,
    placed,
    currency,
    rateOf,
  }: { terms: Terms; placed: Placed; currency: string; rateOf: RateOf | null },
): Earning {
  // A fixed amount is for something paid for, not for a discount or a credited product.
  const parts = partsOf(payment, { terms, placed }).filter(
    (part) => !isFixed(part.reward) || part.amount > 0,
  );
  if (parts.length > 0 && parts.every(({ reward }) => isNothing(reward))) {
    const are_products = parts.every(({ from }) => from === "product");
    return { outcome: are_products ? "product_excluded" : "excluded_by_rule", amount: 0 };
  }
  const fixed = parts.filter(({ reward }) => isFixed(reward) && !isNothing(reward));
  const amounts = fixed.map(({ reward }) =>
    fixedIn(reward, { to: payment.currency, organization: currency, rateOf }),
  );
  if (amounts.includes(null)) {
    return { outcome: rateOf === null ? "fixed_amount_other_currency" : "exchange_rate_missing", amount: 0 };
  }
  const of_parts = parts.map(({ reward, amount }) => BigInt(amount) * BigInt(millionthsOf(reward)));
  const of_fixed = amounts.map((amount) => BigInt(amount ?? 0) * EXACT);
  const exact = [...of_parts, ...of_fixed].reduce((sum, part) => sum + part, 0n);
  const limit = BigInt(payment.revenue) * EXACT;
  const is_capped = terms.commission_cap && fixed.length > 0 && exact > limit;
  const amount = divide(is_capped ? limit : exact, EXACT);
  if (amount === 0) return { outcome: "commission_is_zero", amount: 0 };
  if (amount < 0) return { outcome: "commission_is_negative", amount: 0 };
  return { outcome: "commission", amount };
}

/** A rate of the campaign, as `{ type, amount }`, or a reward of a rule. */
function isRate(reward: Part["reward"]): reward is Rate {
  return typeof reward === "object" && reward !== null && "type" in reward;
}

function isFixed(reward: Part["reward"]): boolean {
  if (isRate(reward)) return reward.type === "fixed";
  return typeof reward === "object" && reward !== null;
}

function isNothing(reward: Part["reward"]): boolean {
  return reward === null || (isRate(reward) && reward.amount === 0);
}

/** Of a percentage: ten-thousandths of a percent are millionths. */
function millionthsOf(reward: Part["reward"]): number {
  if (isFixed(reward) || reward === null) return 0;
  return Math.round((isRate(reward) ? reward.amount : Number(reward)) * 10_000);
}

/**
 * A fixed amount in minor units of a payment's currency: a rule's own one in it, or else the first amount, converted. Null: there is none,
 * or a rate is missing.
 */
function fixedIn(
  reward: Part["reward"],
  { to, organization, rateOf }: { to: string; organization: string; rateOf: RateOf | null },
): number | null {
  const amounts: [string, number][] = isRate(reward)
    ? [[organization, reward.amount]]
    : Object.entries(reward as Record<string, number>);
  const own = amounts.find(([currency]) => currency === to);
  if (own !== undefined) return Math.round(own[1] * unitOf(to));
  const [first] = amounts;
  if (rateOf === null || first === undefined) return null;
  return convert(first[1], { from: first[0], to, rateOf });
}

/** The part of a paid amount that a refund or a dispute covers. */
export function partOf(paid: number, percent: number): number {
  return Math.round((paid * percent) / 100);
}
