import { currencyDecimals } from "@findersfee/contract/currencies";
import { toMajor } from "../money.ts";
import { LOCALES, type MailLanguage } from "./language.ts";

/**
 * An amount for people: `$1,234.50`, `¥500`, in German `1.234,50 $`. The number of decimals is the currency's in ISO 4217, even where
 * custom differs.
 */
export function showAmount(amountMinor: bigint, currency: string, language: MailLanguage = "en"): string {
  const decimals = currencyDecimals(currency);
  return new Intl.NumberFormat(LOCALES[language], {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toMajor(amountMinor, currency));
}

/** `November 21, 2026`, in German `21. November 2026`. */
export function showDay(
  at: Date,
  { language, time_zone }: { language: MailLanguage; time_zone: string },
): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: time_zone }).format(at);
}

/** With the name of the time zone: `November 21, 2026 at 10:05 AM Central European Standard Time`. */
export function showTime(
  at: Date,
  { language, time_zone }: { language: MailLanguage; time_zone: string },
): string {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "long" } as const;
  const format = { ...day, ...time, timeZone: time_zone };
  return new Intl.DateTimeFormat(LOCALES[language], format).format(at);
}

/** A payout's period, `2026-11`, as `November 2026`. */
export function showPeriod(period: string, language: MailLanguage = "en"): string {
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(new Date(`${period}-01T00:00:00Z`));
}
