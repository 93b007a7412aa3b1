/*
 * Periods of days, each with the period before it. Days are dates, as in 2026-11-20; `until` is the day after the last one.
 */

export interface Days {
  from: string;
  until: string;
}

export interface ComparedPeriod {
  /** Null: from the first day on. */
  from: string | null;
  until: string;
  /** Null: all time has none. */
  previous: Days | null;
}

export const periodPresets = [
  "this_month",
  "last_month",
  "this_quarter",
  "last_quarter",
  "this_year",
  "last_year",
  "all_time",
] as const;

export type PeriodPreset = (typeof periodPresets)[number];

const MONTHS = { month: 1, quarter: 3, year: 12 };

type Unit = keyof typeof MONTHS;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * The period of a preset on a day. This month, quarter or year lasts until today, and is compared with as
 * many days from the beginning of the previous one. If that is shorter, all its days count.
 */
export function periodOf(preset: PeriodPreset, today: string): ComparedPeriod {
  const tomorrow = addDays(today, 1);
  if (preset === "all_time") return { from: null, until: tomorrow, previous: null };
  const [which, unit] = preset.split("_") as ["this" | "last", Unit];
  const start = startOf(today, unit);
  const before = addMonths(start, -MONTHS[unit]);
  if (which === "last") {
    return {
      from: before,
      until: start,
      previous: { from: addMonths(before, -MONTHS[unit]), until: before },
    };
  }
  const as_many = addDays(before, daysBetween(start, tomorrow));
  return {
    from: start,
    until: tomorrow,
    previous: { from: before, until: earlierOf(as_many, start) },
  };
}

/** As many days before. */
export function daysBefore({ from, until }: Days): Days {
  return { from: addDays(from, -daysBetween(from, until)), until: from };
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** The first day of a month, `months` later; `day` is a first day, too. */
export function addMonths(day: string, months: number): string {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
}

/** The first day of the month, quarter or year of a day. */
export function startOf(day: string, unit: Unit): string {
  const month = Number(day.slice(5, 7)) - 1;
  return addMonths(`${day.slice(0, 7)}-01`, -(month % MONTHS[unit]));
}

function daysBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / DAY_MILLISECONDS;
}

function earlierOf(...days: string[]): string {
  return days.sort()[0] ?? "";
}
