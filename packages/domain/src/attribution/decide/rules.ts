import type { PaymentLine } from "../facts/payment-fact.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";

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
export function isExcluding({ value }: Pick<Rate, "value">): boolean {
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
