import { divideRounded } from "../../money.ts";

/** Of the same currency, in whatever unit. */
interface Totals {
  /** All of it, tax too. */
  total: number;
  total_excluding_tax: number;
}

/**
 * What of a paid amount is not tax, when tax is the same part of it as of the total: rounded half away from
 * zero. What was paid for a total of zero (only a former debt) has no tax that anybody knows of.
 */
export function netAmount(paid_minor: bigint, { total, total_excluding_tax }: Totals): bigint {
  if (total === 0) return paid_minor;
  const sign = total < 0 ? -1n : 1n;
  return divideRounded(sign * paid_minor * BigInt(total_excluding_tax), sign * BigInt(total));
}
