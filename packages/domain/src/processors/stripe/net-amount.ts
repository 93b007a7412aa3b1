import { divideRounded } from "../../money.ts";

/** Amounts in the same currency and unit. */
interface Totals {
  /** The total, with tax. */
  total: number;
  total_excluding_tax: number;
}

/**
 * The part of a paid amount without tax, if tax has the same share as in the total: rounded half away from zero. A
 * payment for a total of zero (only a former debt) has an unknown tax.
 */
export function netAmount(paid_minor: bigint, { total, total_excluding_tax }: Totals): bigint {
  if (total === 0) return paid_minor;
  const sign = total < 0 ? -1n : 1n;
  return divideRounded(sign * paid_minor * BigInt(total_excluding_tax), sign * BigInt(total));
}
