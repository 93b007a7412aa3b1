import { divideRounded } from "../../money.ts";
import type { PaymentLine } from "../facts/payment-fact.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";

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

/** What the conditions of rules ask of a payment as a whole. */
export interface RuledPayment {
  /** Whether its commission is the referral's first. */
  is_first: boolean;
}

/** A rule that decides the lines of payments that earlier rules left. All its conditions must hold. */
export interface Rule {
  /** As decisions name it. */
  rule: "first_payment" | "product" | "campaign";
  /** The lines that it decides; undefined: all that are left. */
  product_id?: string;
  /** For the referral's first commission alone. */
  is_first_only?: true;
  rate: Rate;
}

/**
 * The rules of a campaign, in order. Its fields are rules: excluded products, even of a first payment; the first payment's rate; rates of
 * products; and the campaign's rate, which decides what is left.
 */
export function rulesOf({ first_payment, products, rate }: PayingTerms): Rule[] {
  const of_products = products.map(({ product_id, ...own }) => {
    return { rule: "product" as const, product_id, rate: own };
  });
  const of_first: Rule[] =
    first_payment === null
      ? []
      : [
          ...of_products.filter((rule) => isExcluding(rule.rate)),
          { rule: "first_payment" as const, rate: first_payment },
        ].map((rule) => ({ ...rule, is_first_only: true as const }));
  return [...of_first, ...of_products, { rule: "campaign", rate }];
}

/** A rate of 0 earns nothing. */
function isExcluding({ value }: Pick<Rate, "value">): boolean {
  return value === 0n;
}

/** The rules that can decide a line of a payment: those whose conditions it meets, up to the first that takes any line. */
export function rulesFor(rules: readonly Rule[], payment: RuledPayment): Rule[] {
  const met = rules.filter(({ is_first_only }) => is_first_only === undefined || payment.is_first);
  const last = met.findIndex(({ product_id }) => product_id === undefined);
  return last === -1 ? met : met.slice(0, last + 1);
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
  const decided = new Set<string>();
  for (const rule of rules) {
    const { product_id } = rule;
    let of_minor = rest_minor;
    if (product_id !== undefined) {
      const own = lines.filter((line) => line.product_id === product_id);
      if (own.length === 0 || decided.has(product_id)) continue;
      decided.add(product_id);
      of_minor = own.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
      rest_minor -= of_minor;
    } else if (of_minor === 0n) continue;
    if (rule.rate.type === "percentage" || of_minor > 0n) parts.push({ rule, of_minor });
  }
  return parts;
}
