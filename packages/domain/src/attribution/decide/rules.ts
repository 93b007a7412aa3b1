import type { StoredConditions, StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { PaymentLine } from "../facts/payment-fact.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";
import { chooses, choosesLines, meets, type RuledPayment } from "./conditions.ts";

/** A rule that decides the lines of payments that earlier rules left. All its conditions must hold. */
export interface Rule {
  /** As decisions name it: a field of the campaign, or a `rule` of its list or of the affiliate's. */
  rule: "first_payment" | "product" | "campaign" | "rule";
  /** Of `rule`. */
  stored?: StoredRule;
  conditions: StoredConditions;
  /** For the referral's first commission alone. */
  is_first_only?: true;
  reward: Rate | StoredRule["reward"];
}

/** The lists of rules that precede the fields of a campaign, in their order. */
export type RuleLists = readonly (readonly StoredRule[])[];

/**
 * The rules of a payment, in order. The fields of a campaign are rules, too: excluded products, even of a first payment; the first
 * payment's rate; rates of products; and the campaign's rate, which decides what is left.
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

/** The rules that can decide a line of a payment: those whose conditions it meets, up to the first that takes any line. */
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
