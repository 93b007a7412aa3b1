import fc from "fast-check";
import { expect, it } from "vitest";
import { ruledPayment } from "../../../test/attribution/ruled-payment.ts";
import type { PayingTerms, Rate } from "../facts/stored-fact.ts";
import { divideByRules, rulesFor, rulesOf } from "./rules.ts";

const PRODUCTS = ["a", "b", "c"];

const rate = fc.record({
  type: fc.constantFrom("percentage" as const, "fixed" as const),
  value: fc.bigInt({ min: 0n, max: 1_000_000n }),
});
const positive = rate.filter(({ value }) => value > 0n);
const payment = fc.record({
  lines: fc.array(
    fc.record({
      product_id: fc.constantFrom(...PRODUCTS, null),
      amount_minor: fc.bigInt({ min: -5_000n, max: 9_000n }),
    }),
    { maxLength: 6 },
  ),
  beside: fc.bigInt({ min: -100n, max: 9_000n }),
  is_first: fc.boolean(),
});
const terms = fc.record({
  rate: positive,
  first_payment: fc.option(positive),
  products: fc
    .uniqueArray(fc.constantFrom(...PRODUCTS))
    .chain((ids) => fc.tuple(...ids.map((product_id) => rate.map((own) => ({ product_id, ...own }))))),
  limit: fc.constant(null),
  commission_cap: fc.constant(false),
});

interface Step {
  rule: string;
  rate: Rate;
  of_minor: bigint;
}

/** The same without rules, by "Commission amounts" of docs/concepts.md. */
function stepsByFields(
  { rate: campaign, first_payment, products }: PayingTerms,
  {
    lines,
    revenue_minor,
    is_first,
  }: {
    lines: { product_id: string | null; amount_minor: bigint }[];
    revenue_minor: bigint;
    is_first: boolean;
  },
): Step[] {
  const first = is_first ? first_payment : null;
  const own = first === null ? products : products.filter(({ value }) => value === 0n);
  const steps: Step[] = [];
  let rest = revenue_minor;
  for (const { product_id, type, value } of own) {
    const of_product = lines.filter((line) => line.product_id === product_id);
    if (of_product.length === 0) continue;
    const of_minor = of_product.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
    rest -= of_minor;
    if (type === "percentage" || of_minor > 0n)
      steps.push({ rule: `product ${product_id}`, rate: { type, value }, of_minor });
  }
  const last = first ?? campaign;
  if (rest !== 0n && (last.type === "percentage" || rest > 0n))
    steps.push({ rule: first === null ? "campaign" : "first_payment", rate: last, of_minor: rest });
  return steps;
}

it("divide payments as the fields of a campaign do, in the same order", () => {
  fc.assert(
    fc.property(terms, payment, (fields, { lines, beside, is_first }) => {
      const revenue_minor = lines.reduce((sum, { amount_minor }) => sum + amount_minor, beside);
      const ruled = { ...ruledPayment({ currency: "USD", revenue_minor }), is_first };
      const parts = divideByRules({ revenue_minor, lines }, rulesFor(rulesOf(fields), ruled));
      const steps = parts.map(({ rule: { rule, conditions, reward: own }, of_minor }) => {
        const [product_id] = conditions.products ?? [];
        return { rule: product_id === undefined ? rule : `${rule} ${product_id}`, rate: own, of_minor };
      });
      expect(steps).toEqual(stepsByFields(fields, { lines, revenue_minor, is_first }));
    }),
    { numRuns: 2_000 },
  );
});
