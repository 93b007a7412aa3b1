import { divideByProduct } from "./divide-by-product.ts";
import type { PaymentLine, PaymentMade, ProductsFact } from "./payment-fact.ts";

/**
 * A payment's revenue by product: from its own message, or in the proportion that was looked up for it. Null: the
 * products are not known yet. Empty: the payment has none.
 */
export function linesOf(
  { lines, lines_at, revenue_minor }: Pick<PaymentMade, "lines" | "lines_at" | "revenue_minor">,
  products: ProductsFact | undefined,
): readonly PaymentLine[] | null {
  if (lines_at === undefined) return lines;
  if (products === undefined) return null;
  return divideByProduct(revenue_minor, products.weights);
}
