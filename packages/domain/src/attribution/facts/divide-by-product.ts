import { apportion } from "./apportion.ts";
import type { PaymentLine, ProductsFact } from "./payment-fact.ts";

/** Divides revenue in proportion to weights. Returns no parts if the sum of the weights is not positive. */
export function divideByProduct(revenue_minor: bigint, weights: ProductsFact["weights"]): PaymentLine[] {
  if (weights.reduce((sum, { weight }) => sum + weight, 0n) <= 0n) return [];
  const parts = apportion(
    revenue_minor,
    weights.map(({ weight }) => weight),
  );
  return weights.map(({ product_id }, index) => ({ product_id, amount_minor: parts[index] ?? 0n }));
}
