import { z } from "zod";
import { apportion } from "../apportion.ts";
import type { PaymentLine } from "../payment-event.ts";
import { amount, anything, optionalDiscount, optionalReference } from "./fields.ts";

const amounts = z.array(z.object({ amount })).nullish();

const product = z.object({ product: optionalReference });

/** https://docs.stripe.com/api/invoice-line-item/object */
const lineSchema = z.object({
  amount,
  discount_amounts: amounts,
  discounts: z.array(optionalDiscount).nullish(),
  // Of a subscription's line, the subscription's.
  metadata: anything,
  // These repeat the discounts; what else is there is credit that was granted.
  pretax_credit_amounts: z.array(z.object({ amount, type: z.string() })).nullish(),
  // From 2025-03-31.basil on.
  pricing: z.object({ price_details: product.nullish() }).nullish(),
  taxes: z.array(z.object({ amount, tax_behavior: z.string() })).nullish(),
  // Until 2025-02-24.acacia.
  price: product.nullish(),
  tax_amounts: z.array(z.object({ amount, inclusive: z.boolean() })).nullish(),
});

type Line = z.output<typeof lineSchema>;

/** An event carries the first lines of an invoice, and says if there are more. */
export const linesSchema = z.object({ data: z.array(lineSchema), has_more: z.boolean().nullish() });

/** Amounts in whatever unit: only their proportions count. */
interface Priced {
  lines: z.output<typeof linesSchema>;
  /** What shipping cost without tax; no product's. */
  shipping: number;
}

/**
 * An invoice's revenue by its products, in proportion to what their lines come to without discounts and tax.
 * Of a plan that was left the time that remains is a line below zero. Nothing is known of products where
 * lines are missing, or do not come to more than zero.
 */
export function revenueByProduct(revenue_minor: bigint, { lines, shipping }: Priced): PaymentLine[] {
  if (lines.has_more === true) return [];
  const by_product = new Map<string | null, bigint>();
  const add = (product_id: string | null, net: number) =>
    by_product.set(product_id, (by_product.get(product_id) ?? 0n) + BigInt(net));
  for (const line of lines.data) add(productOf(line), netOf(line));
  if (shipping !== 0) add(null, shipping);
  const weights = [...by_product.values()];
  if (weights.reduce((sum, weight) => sum + weight, 0n) <= 0n) return [];
  const parts = apportion(revenue_minor, weights);
  return [...by_product.keys()].map((product_id, index) => ({
    product_id,
    amount_minor: parts[index] ?? 0n,
  }));
}

function productOf({ pricing, price }: Line): string | null {
  return pricing?.price_details?.product ?? price?.product ?? null;
}

function netOf(line: Line): number {
  const credits = (line.pretax_credit_amounts ?? []).filter(({ type }) => type !== "discount");
  const included = [
    ...(line.taxes ?? []).filter(({ tax_behavior }) => tax_behavior === "inclusive"),
    ...(line.tax_amounts ?? []).filter(({ inclusive }) => inclusive),
  ];
  const taken_off = [...(line.discount_amounts ?? []), ...credits, ...included];
  return line.amount - taken_off.reduce((sum, part) => sum + part.amount, 0);
}
