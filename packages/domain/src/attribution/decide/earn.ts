import { divideRounded } from "../../money.ts";
import type { PaymentLine } from "../facts/payment-fact.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";
import { divideByRules, isExcluding, type RuledPart, rulesFor, rulesOf } from "./rules.ts";

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
  rule: "first_payment" | "product" | "campaign" | "commission_cap";
  /** The revenue of `product`. */
  product_id?: string;
  type: Rate["type"];
  value: bigint;
  /** The part of the revenue that the rule applies to, in minor units. */
  of_minor: bigint;
}

/** Percentages are in ten-thousandths of a percent, so 100 % is a million. */
const WHOLE = 1_000_000n;

export type Earned =
  | { outcome: "commission"; commission_minor: bigint; steps: EarningStep[]; exact: string }
  | {
      outcome:
        | "fixed_amount_other_currency"
        | "commission_is_zero"
        | "commission_is_negative"
        | "product_excluded"
        | "products_unknown";
      steps: EarningStep[];
    };

/**
 * Calculates the commission of a payment before limits and refunds.
 *
 * - For a referral's first commission, the first-payment rate replaces all others but those of excluded products.
 * Otherwise each product's own rate applies to its lines, and the campaign's rate to the rest.
 * - A rate of 0 excludes a product: its lines earn nothing.
 * - A fixed amount counts once per rule, in the organization's currency only.
 * - Percentages are added up exactly and rounded once, half away from zero.
 * - With `commission_cap`, a commission that contains a fixed amount is limited to the payment; the last step is the
 * amount that the cap subtracts.
 * - If products have their own rates and the payment's products are unknown, the payment earns nothing yet, because
 * a guess would be paid out.
 */
export function earn(
  { currency, revenue_minor, lines }: Earning,
  { terms, is_first, fixed_currency }: { terms: PayingTerms; is_first: boolean; fixed_currency: string },
): Earned {
  const rules = rulesFor(rulesOf(terms), { is_first });
  if (lines === null && rules.some(({ product_id }) => product_id !== undefined))
    return { outcome: "products_unknown", steps: [] };
  const steps = divideByRules({ revenue_minor, lines: lines ?? [] }, rules).map(stepOf);
  if (steps.length > 0 && steps.every(isExcluding)) return { outcome: "product_excluded", steps };
  const has_fixed = steps.some((step) => step.type === "fixed" && !isExcluding(step));
  if (has_fixed && currency !== fixed_currency) return { outcome: "fixed_amount_other_currency", steps };
  let millionths = sumOf(steps);
  // A negative part (unused time of a former plan) at a higher rate than the purchase.
  if (millionths < 0n) return { outcome: "commission_is_negative", steps };
  const excess = terms.commission_cap && has_fixed ? millionths - revenue_minor * WHOLE : 0n;
  if (excess > 0n) {
    steps.push(capStep(revenue_minor, millionths));
    millionths = revenue_minor * WHOLE;
  }
  const commission_minor = divideRounded(millionths, WHOLE);
  if (commission_minor <= 0n) return { outcome: "commission_is_zero", steps };
  return { outcome: "commission", commission_minor, steps, exact: decimal(millionths) };
}

function stepOf({ rule: { rule, product_id, rate }, of_minor }: RuledPart): EarningStep {
  return { rule, ...(product_id === undefined ? {} : { product_id }), ...rate, of_minor };
}

/** The exact sum of the steps, in millionths of the minor unit. */
function sumOf(steps: readonly EarningStep[]): bigint {
  let millionths = 0n;
  for (const { type, value, of_minor } of steps) {
    millionths += type === "fixed" ? value * WHOLE : value * of_minor;
  }
  return millionths;
}

/** The amount that the cap subtracts, so that the steps add up to the commission. */
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
