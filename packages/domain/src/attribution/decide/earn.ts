import { type Conversion, convert, type ExchangeRates } from "../../exchange-rates/convert.ts";
import { divideRounded } from "../../money.ts";
import type { PaymentLine } from "../facts/payment-fact.ts";
import { type CommissionAmounts, netAmount, netAmounts } from "../facts/refunds.ts";
import type { Rate } from "../facts/stored-fact.ts";
import type { Correction, ManualCommission, ReversedPayment } from "./history.ts";
import {
  choosesLines,
  divideByRules,
  type Rule,
  type RuledPart,
  type RuledPayment,
  rulesFor,
} from "./rules.ts";

/** The input of a commission calculation. */
export interface Earning {
  currency: string;
  /** Net of tax and discounts, minor units. */
  revenue_minor: bigint;
  /** Null: the products are unknown. */
  lines: readonly PaymentLine[] | null;
}

/** One step of a commission's calculation, as its decision shows it. */
export interface EarningStep {
  rule: Rule["rule"] | "commission_cap";
  /** The id of `rule`, as it was called then. */
  rule_id?: string;
  rule_name?: string;
  /** The affiliate's tags that `rule` asked for. */
  tags?: readonly string[];
  /** The revenue of `product`. */
  product_id?: string;
  type: Rate["type"];
  value: bigint;
  /** The currency of a fixed amount of `rule`; other amounts are in the organization's. */
  currency?: string;
  /** The part of the revenue that the rule applies to, in minor units. */
  of_minor: bigint;
  /** A fixed amount in the payment's currency; omitted: it is in that currency already. */
  conversion?: Conversion;
}

/** Percentages are in ten-thousandths of a percent, so 100 % is a million. */
const WHOLE = 1_000_000n;

export type Earned =
  | { outcome: "commission"; commission_minor: bigint; steps: EarningStep[]; exact: string }
  | {
      outcome:
        | "fixed_amount_other_currency"
        | "exchange_rate_missing"
        | "commission_is_zero"
        | "commission_is_negative"
        | "product_excluded"
        | "excluded_by_rule"
        | "products_unknown";
      steps: EarningStep[];
    };

/** How an organization and a campaign pay, beside their rules. */
export interface EarningTerms {
  /** In their order; the last one takes any line. */
  rules: readonly Rule[];
  commission_cap: boolean;
  /** The organization's currency. */
  fixed_currency: string;
  /** The rates that count for the payment; null: fixed amounts are not converted. */
  exchange_rates: ExchangeRates | null;
}

/**
 * Calculates the commission of a payment before limits and refunds.
 *
 * - The first rule that matches a line of the payment decides it. `rulesOf` has their order: for a referral's first commission, the
 * first-payment rate replaces all later ones but those of excluded products.
 * - A rule with the rate 0, or that gives nothing, excludes its lines.
 * - A fixed amount counts once per rule. One in another currency than the payment is converted at the `exchange_rates` of the
 * payment's day, or, without them (null), earns nothing.
 * - Percentages are added up exactly and rounded once, half away from zero.
 * - With `commission_cap`, a commission that contains a fixed amount is limited to the payment; the last step is the
 * amount that the cap subtracts.
 * - If rules choose lines and the payment's products are unknown, the payment earns nothing yet, because a guess would be
 * paid out.
 */
export function earn(
  { currency, revenue_minor, lines }: Earning,
  payment: RuledPayment,
  { rules: all, commission_cap, fixed_currency, exchange_rates }: EarningTerms,
): Earned {
  const rules = rulesFor(all, payment);
  if (lines === null && rules.some(({ conditions }) => choosesLines(conditions)))
    return { outcome: "products_unknown", steps: [] };
  let steps = divideByRules({ revenue_minor, lines: lines ?? [] }, rules).map((part) =>
    stepOf(part, payment),
  );
  if (steps.length > 0 && steps.every(isExcluding)) {
    const by_products = steps.every(({ rule }) => rule === "product");
    return { outcome: by_products ? "product_excluded" : "excluded_by_rule", steps };
  }
  const fixed = steps.filter((step) => step.type === "fixed" && !isExcluding(step));
  if (fixed.some((step) => (step.currency ?? fixed_currency) !== currency)) {
    if (exchange_rates === null) return { outcome: "fixed_amount_other_currency", steps };
    const converted = convertFixed(steps, { from: fixed_currency, to: currency, rates: exchange_rates });
    if (converted === null) return { outcome: "exchange_rate_missing", steps };
    steps = converted;
  }
  let millionths = sumOf(steps);
  // A negative part (unused time of a former plan) at a higher rate than the purchase.
  if (millionths < 0n) return { outcome: "commission_is_negative", steps };
  const excess = commission_cap && fixed.length > 0 ? millionths - revenue_minor * WHOLE : 0n;
  if (excess > 0n) {
    steps.push(capStep(revenue_minor, millionths));
    millionths = revenue_minor * WHOLE;
  }
  const commission_minor = divideRounded(millionths, WHOLE);
  if (commission_minor <= 0n) return { outcome: "commission_is_zero", steps };
  return { outcome: "commission", commission_minor, steps, exact: decimal(millionths) };
}

function stepOf(
  { rule: { rule, stored, conditions, reward }, of_minor }: RuledPart,
  { currency, tags }: RuledPayment,
): EarningStep {
  if (stored === undefined) {
    const [product_id] = conditions.products ?? [];
    return {
      rule,
      ...(product_id === undefined ? {} : { product_id }),
      ...rateIn(reward, currency),
      of_minor,
    };
  }
  const { id: rule_id, name } = stored;
  return {
    rule,
    rule_id,
    ...(name === null ? {} : { rule_name: name }),
    ...(conditions.tags !== undefined && { tags: conditions.tags.filter((tag) => tags.includes(tag)) }),
    ...rateIn(reward, currency),
    of_minor,
  };
}

/** The rate of a reward for a payment in a currency. */
function rateIn(reward: Rule["reward"], currency: string): Rate & { currency?: string } {
  if (reward.type === "nothing") return { type: "percentage", value: 0n };
  if (!("amounts" in reward)) return reward;
  const [first] = reward.amounts;
  const amount = reward.amounts.find((item) => item.currency === currency) ?? first;
  if (amount === undefined) throw new Error("a fixed reward without amounts");
  return { type: "fixed", ...amount };
}

/** A rate of 0 earns nothing. */
function isExcluding({ value }: Pick<EarningStep, "value">): boolean {
  return value === 0n;
}

/** The exact sum of the steps, in millionths of the minor unit. */
function sumOf(steps: readonly EarningStep[]): bigint {
  let millionths = 0n;
  for (const { type, value, of_minor, conversion } of steps) {
    millionths += type === "fixed" ? (conversion?.amount_minor ?? value) * WHOLE : value * of_minor;
  }
  return millionths;
}

/** The steps with their fixed amounts in the payment's currency. `from`: of those without their own. Null: a rate is missing. */
function convertFixed(
  steps: readonly EarningStep[],
  { from, to, rates }: { from: string; to: string; rates: ExchangeRates },
): EarningStep[] | null {
  const converted: EarningStep[] = [];
  for (const step of steps) {
    const { type, value, currency = from } = step;
    if (type !== "fixed" || currency === to || isExcluding(step)) converted.push(step);
    else {
      const conversion = convert(value, { from: currency, to, rates });
      if (conversion === null) return null;
      converted.push({ ...step, conversion });
    }
  }
  return converted;
}

/** The amount that the cap subtracts, in the payment's currency, so that the steps add up to the commission. */
function capStep(revenue_minor: bigint, millionths: bigint): EarningStep {
  const value = revenue_minor - divideRounded(millionths, WHOLE);
  return { rule: "commission_cap", type: "fixed", value, of_minor: revenue_minor };
}

/** Minor units with at most six decimals. */
function decimal(millionths: bigint): string {
  const whole = millionths / WHOLE;
  const fraction = (millionths % WHOLE).toString().padStart(6, "0").replace(/0+$/, "");
  return fraction === "" ? `${whole}` : `${whole}.${fraction}`;
}

/** The rest of a manual commission at a time (null: now), after the refunds of its payment, if it has one. */
export function manualLeft(
  commission: ManualCommission,
  payment: ReversedPayment | undefined,
  moment: Date | null,
): CommissionAmounts | null {
  const { voided, voided_at } = commission.correction ?? {};
  if (voided === true && (moment === null || (voided_at && voided_at <= moment))) return null;
  if (payment === undefined) return commission;
  // Refunds that its amounts take into account are refunds of a smaller payment.
  const { included_minor } = commission;
  return netAmounts(commission, {
    paid_minor: payment.paid_minor - included_minor,
    reversed_minor: payment.reversedAt(moment) - included_minor,
  });
}

/**
 * Returns the net commission of a payment at a time, including manual corrections until then. Corrected amounts already
 * account for earlier refunds. Null: the commission is void.
 */
export function netCommission(
  { revenue_minor, commission_minor, paid_minor }: CommissionAmounts & { paid_minor: bigint },
  {
    correction,
    moment,
    reversed_minor,
  }: {
    correction: Correction | null;
    /** Null: now. */
    moment: Date | null;
    reversed_minor: bigint;
  },
): CommissionAmounts | null {
  const plain = netAmounts({ revenue_minor, commission_minor }, { paid_minor, reversed_minor });
  if (correction === null) return plain;
  const was_set = (at: Date | null) => at !== null && (moment === null || at <= moment);
  const voided = was_set(correction.voided_at) ? correction.voided : null;
  if (voided === true) return null;
  if (!was_set(correction.amounts_at)) return plain;
  const since = {
    paid_minor: paid_minor - correction.reversed_minor,
    reversed_minor: reversed_minor - correction.reversed_minor,
  };
  const corrected = netAmounts(
    {
      revenue_minor: correction.revenue_minor ?? revenue_minor,
      commission_minor: correction.commission_minor ?? commission_minor,
    },
    since,
  );
  const is_gone = reversed_minor > 0n && reversed_minor >= paid_minor;
  if (corrected === null || (is_gone && voided === null)) return null;
  // The payment's earnings may round to zero while the corrected amount does not.
  const all = { paid_minor, reversed_minor };
  const revenue = correction.revenue_minor === null ? netAmount(revenue_minor, all) : corrected.revenue_minor;
  const commission =
    correction.commission_minor === null ? netAmount(commission_minor, all) : corrected.commission_minor;
  return revenue > 0n && commission > 0n ? { revenue_minor: revenue, commission_minor: commission } : null;
}
