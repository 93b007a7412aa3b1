import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import { requireNoIssues } from "./errors.ts";

/** Decimals of a percentage rate. */
const RATE_DECIMALS = 4;
/** 100 %, as a rate. */
export const WHOLE_RATE = 100n * 10n ** BigInt(RATE_DECIMALS);

/**
 * An amount in major units as an integer in the currency's minor unit: 19.99 USD is 1999n.
 * Null: it has more decimals than the currency.
 */
export function toMinor(amount: number, currency: string): bigint | null {
  return toScaled(amount, currencyDecimals(currency));
}

/** The inverse of `toMinor`: the JSON number in major units. */
export function toMajor(amountMinor: bigint, currency: string): number {
  return Number(amountMinor) / 10 ** currencyDecimals(currency);
}

/**
 * Converts the amounts of a request to minor units. Throws `invalid_request` for amounts with more decimals than the
 * currency has.
 */
export function amountsToMinor<Name extends string>(
  amounts: Record<Name, number>,
  currency: string,
): Record<Name, bigint> {
  const issues: Issue[] = [];
  const minors = {} as Record<Name, bigint>;
  for (const name of Object.keys(amounts) as Name[]) {
    minors[name] = amountToMinor({ path: name, amount: amounts[name], currency, issues });
  }
  requireNoIssues(issues);
  return minors;
}

/**
 * Converts an amount of a request to minor units. An amount with too many decimals becomes 0 and adds to the `issues`.
 */
export function amountToMinor({
  path,
  amount,
  currency,
  issues,
}: {
  path: string;
  amount: number;
  currency: string;
  issues: Issue[];
}): bigint {
  const minor = toMinor(amount, currency);
  if (minor !== null) return minor;
  const message = `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.`;
  issues.push({ path, message });
  return 0n;
}

/** A percentage as an integer in ten-thousandths of a percent. Null: more than 4 decimals. */
export function toRate(percent: number): bigint | null {
  return toScaled(percent, RATE_DECIMALS);
}

/** The inverse of `toRate`. */
export function toPercent(rate: bigint): number {
  return Number(rate) / 10 ** RATE_DECIMALS;
}

export function isWithinRate(rate: bigint): boolean {
  return rate > 0n && rate <= WHOLE_RATE;
}

/**
 * Multiplies a number by 10^decimals exactly. The digits are taken from the number's shortest decimal form, which is
 * the form in the JSON, so no product of floats is ever rounded.
 */
function toScaled(value: number, decimals: number): bigint | null {
  const digits = /^(-?\d+)(?:\.(\d+))?$/.exec(String(value));
  // The remaining forms have an exponent: below 0.000001, or larger than any accepted amount.
  if (digits === null) return null;
  const [, whole = "", fraction = ""] = digits;
  if (fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** The nearest integer, halves away from zero. The divisor is positive. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = 2n * (dividend < 0n ? -dividend : dividend) + divisor;
  const rounded = doubled / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}
