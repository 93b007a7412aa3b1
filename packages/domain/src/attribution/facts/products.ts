import type { PaymentLine, PaymentMade, ProductsFact } from "./payment-fact.ts";

/**
 * A payment's revenue by product: from its own message, or in the proportion that was looked up for it. Null: the
 * products are not known yet. Empty: no report names any.
 */
export function linesOf(
  { lines, lines_at, revenue_minor }: Pick<PaymentMade, "lines" | "lines_at" | "revenue_minor">,
  products: ProductsFact | undefined,
): readonly PaymentLine[] | null {
  if (lines_at === undefined) return lines;
  if (products === undefined) return null;
  return divideByProduct(revenue_minor, products.weights);
}

/** The sums of weights by product, in their order. A product is billed as the first of its lines that says so. */
export function addUp(weights: ProductsFact["weights"]): ProductsFact["weights"] {
  const sums = new Map<string | null, ProductsFact["weights"][number]>();
  for (const { product_id, weight, interval } of weights) {
    const known = sums.get(product_id);
    const billed = known?.interval ?? interval;
    sums.set(product_id, {
      product_id,
      weight: (known?.weight ?? 0n) + weight,
      ...(billed !== undefined && { interval: billed }),
    });
  }
  return [...sums.values()];
}

/** Divides revenue in proportion to weights. Returns no parts if the sum of the weights is not positive. */
export function divideByProduct(revenue_minor: bigint, weights: ProductsFact["weights"]): PaymentLine[] {
  if (weights.reduce((sum, { weight }) => sum + weight, 0n) <= 0n) return [];
  const parts = apportion(
    revenue_minor,
    weights.map(({ weight }) => weight),
  );
  return weights.map(({ product_id, interval }, index) => ({
    product_id,
    amount_minor: parts[index] ?? 0n,
    ...(interval !== undefined && { interval }),
  }));
}

/**
 * Divides an amount in proportion to weights, so that the parts add up to it exactly. Each part is rounded down, and
 * the remainder is distributed by one unit to the parts with the largest rounding losses (ties: the first). A negative
 * weight gets a negative part. The sum of the weights must be positive.
 */
export function apportion(amount: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  const shares = weights.map((weight) => divideDown(amount * weight, sum));
  const left = amount - shares.reduce((total, { quotient }) => total + quotient, 0n);
  const by_loss = shares
    .map(({ remainder }, index) => ({ remainder, index }))
    .sort((item, other) => compare(other.remainder, item.remainder) || item.index - other.index);
  const favoured = new Set(by_loss.slice(0, Number(left)).map(({ index }) => index));
  return shares.map(({ quotient }, index) => (favoured.has(index) ? quotient + 1n : quotient));
}

/** Floor division with a remainder that is not negative. The divisor is positive. */
function divideDown(dividend: bigint, divisor: bigint): { quotient: bigint; remainder: bigint } {
  const remainder = ((dividend % divisor) + divisor) % divisor;
  return { quotient: (dividend - remainder) / divisor, remainder };
}

function compare(item: bigint, other: bigint): number {
  return item < other ? -1 : Number(item > other);
}
