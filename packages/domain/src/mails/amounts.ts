import { currencyDecimals } from "@findersfee/contract/currencies";
import { toMajor } from "../money.ts";

const ENGLISH = "en-US";

/**
 * An amount for people: `$1,234.50`, `¥500`. The number of decimals is the currency's in ISO 4217, even where custom
 * differs.
 */
export function showAmount(amountMinor: bigint, currency: string, locale = ENGLISH): string {
  const decimals = currencyDecimals(currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toMajor(amountMinor, currency));
}

const MONTH = new Intl.DateTimeFormat(ENGLISH, { month: "long", year: "numeric", timeZone: "UTC" });

/** `November 21, 2026`, in UTC. */
export function showDay(at: Date, locale = ENGLISH): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(at);
}

/** A payout's period, `2026-11`, as `November 2026`. */
export function showPeriod(period: string): string {
  return MONTH.format(new Date(`${period}-01T00:00:00Z`));
}
