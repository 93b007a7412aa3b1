/** The currency that all rates are quoted against: a rate is the units of a currency for 1 euro. */
export const BASE_CURRENCY = "EUR";

/** Digits of a rate before and after the decimal point, as `numeric(20,10)` has them. */
const RATE_DIGITS = 10;
export const RATE_SCALE = 10n ** BigInt(RATE_DIGITS);

/**
 * A known rate. `ecb`: from the European Central Bank's file; `manual`: from a member of the organization.
 */
export interface ExchangeRate {
  currency: string;
  /** Units of the currency for 1 euro, as decimal text: `1.0812`. */
  rate: string;
  source: string;
  /** The day that it was published for: `2026-11-26`. */
  day: string;
}

/**
 * A rate as an integer in units of 10^-10. Null: it is no positive decimal number with at most 10 digits before and 10 after the
 * point.
 */
export function scaledRate(text: string): bigint | null {
  if (text.length > 2 * RATE_DIGITS + 1) return null;
  const digits = /^(\d{1,10})(?:\.(\d{1,10}))?$/.exec(text);
  if (digits === null) return null;
  const [, whole = "", fraction = ""] = digits;
  const scaled = BigInt(whole + fraction.padEnd(RATE_DIGITS, "0"));
  return scaled > 0n ? scaled : null;
}

/** The inverse of `scaledRate`, without trailing zeros. */
export function rateText(scaled: bigint): string {
  let fraction = (scaled % RATE_SCALE).toString().padStart(RATE_DIGITS, "0");
  while (fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  return `${scaled / RATE_SCALE}${fraction === "" ? "" : `.${fraction}`}`;
}
