import { useClock } from "@findersfee/ui/components/clock";
import { formatDay, formatMonth } from "@findersfee/ui/formats/dates";
import { formatMoney } from "@findersfee/ui/formats/money";
import { useTexts } from "@findersfee/ui/texts";

/** Amounts and dates in the reader's language, for sentences. */
export interface Formats {
  money: (amount: number, currency: string) => string;
  /** The same with a plus sign if it is positive. */
  gain: (amount: number, currency: string) => string;
  number: (value: number) => string;
  /** The day of a moment in the reader's time zone: `Dec 6`. */
  day: (at: string) => string;
  /** A calendar day, `2026-12-06`, in no time zone: `Dec 6`. */
  date: (day: string) => string;
  /** The month of a payout, `2026-12`: `December 2026`. */
  month: (period: string) => string;
}

export function useFormats(): Formats {
  const { locale } = useTexts();
  const clock = useClock();
  const utc = { ...clock, time_zone: "UTC" };
  const money = (amount: number, currency: string) => formatMoney(amount, currency, locale);
  return {
    money,
    gain: (amount, currency) => `${amount > 0 ? "+" : ""}${money(amount, currency)}`,
    number: (value) => value.toLocaleString(locale),
    day: (at) => formatDay(new Date(at), clock),
    date: (day) => formatDay(new Date(`${day}T00:00:00Z`), utc),
    month: (period) => formatMonth(new Date(`${period}-01T00:00:00Z`), utc),
  };
}
