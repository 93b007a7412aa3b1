import type { Home } from "@findersfee/contract/portal/home";
import type { AffiliateDayRow } from "@findersfee/database/portal/home";
import { NO_CURRENCY } from "@findersfee/database/reports/totals/sources";
import { toMajor } from "../money.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** An affiliate's totals by day; of days without any, zeros. `currency` is the first one of the amounts. */
export function viewLastDays(
  rows: readonly AffiliateDayRow[],
  { currency }: { currency: string },
): Home["last_days"] {
  const [first] = rows;
  if (first === undefined) throw new Error("an organization without totals");
  const days = daysOf(first).map((day) => viewCounts(rows, day));
  return {
    time_zone: first.time_zone,
    clicks: sum(days, ({ clicks }) => clicks),
    signups: sum(days, ({ signups }) => signups),
    conversions: sum(days, ({ conversions }) => conversions),
    days,
    earned: currenciesOf(rows, currency).map((of) => viewEarned(rows, days, of)),
  };
}

function daysOf({ first_day, last_day }: AffiliateDayRow): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first_day); at <= Date.parse(last_day); at += DAY_MILLISECONDS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

type Day = Home["last_days"]["days"][number];

function viewCounts(rows: readonly AffiliateDayRow[], day: string): Day {
  const row = rows.find((found) => found.day === day && found.currency === NO_CURRENCY);
  return {
    day,
    clicks: Number(row?.clicks ?? 0),
    signups: Number(row?.signups ?? 0),
    conversions: Number(row?.conversions ?? 0),
  };
}

function currenciesOf(rows: readonly AffiliateDayRow[], first: string): string[] {
  const currencies = new Set(rows.map(({ currency }) => currency));
  currencies.delete(NO_CURRENCY);
  return [...currencies].sort((a, b) => Number(b === first) - Number(a === first));
}

function viewEarned(
  rows: readonly AffiliateDayRow[],
  days: readonly Day[],
  currency: string,
): Home["last_days"]["earned"][number] {
  const minors = new Map(
    rows.flatMap((row) => (row.currency === currency ? [[row.day, row.commission_minor] as const] : [])),
  );
  const total = [...minors.values()].reduce((all, minor) => all + minor, 0n);
  return {
    currency,
    amount: toMajor(total, currency),
    days: days.map(({ day }) => toMajor(minors.get(day) ?? 0n, currency)),
  };
}

function sum(days: readonly Day[], of: (day: Day) => number): number {
  return days.reduce((all, day) => all + of(day), 0);
}
