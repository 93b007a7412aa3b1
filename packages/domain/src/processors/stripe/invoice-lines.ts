import { z } from "zod";
import type { ProductsFact } from "../../attribution/facts/payment-fact.ts";
import { amount, anything, optionalDiscount, optionalReference } from "./fields.ts";

const amounts = z.array(z.object({ amount })).nullish();

const product = z.object({ product: optionalReference });

/** https://docs.stripe.com/api/invoice-line-item/object */
const lineSchema = z.object({
  amount,
  discount_amounts: amounts,
  discounts: z.array(optionalDiscount).nullish(),
  // On a subscription's line, the subscription's metadata.
  metadata: anything,
  // These repeat the discounts; the others are granted credit.
  pretax_credit_amounts: z.array(z.object({ amount, type: z.string() })).nullish(),
  // From 2025-03-31.basil on.
  pricing: z.object({ price_details: product.nullish() }).nullish(),
  taxes: z.array(z.object({ amount, tax_behavior: z.string() })).nullish(),
  // Until 2025-02-24.acacia.
  price: product.nullish(),
  tax_amounts: z.array(z.object({ amount, inclusive: z.boolean() })).nullish(),
});

type Line = z.output<typeof lineSchema>;

/** An event contains the first lines of an invoice, and whether there are more. */
export const linesSchema = z.object({ data: z.array(lineSchema), has_more: z.boolean().nullish() });

/** Amounts in any unit: only their proportions count. */
interface Priced {
  lines: z.output<typeof linesSchema>;
  /** Shipping cost without tax; it belongs to no product. */
  shipping: number;
}

/**
 * The sums of an invoice's lines by product, without discounts and tax, in the order of the lines. The unused time of a
 * former plan is a negative line.
 */
export function weightsByProduct({ lines, shipping }: Priced): ProductsFact["weights"] {
  const by_product = new Map<string | null, bigint>();
  const add = (product_id: string | null, net: number) =>
    by_product.set(product_id, (by_product.get(product_id) ?? 0n) + BigInt(net));
  for (const line of lines.data) add(productOf(line), netOf(line));
  if (shipping !== 0) add(null, shipping);
  return [...by_product].map(([product_id, weight]) => ({ product_id, weight }));
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
