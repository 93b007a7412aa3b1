import { dayIn, daysOf } from "@findersfee/ui/lists/days";
import type { Unit } from "./search.ts";

const DAY_MILLISECONDS = 86_400_000;

/** The most days that the service sums up. */
const MAX_DAYS = 400;

/** The periods up to today, by their number of days. */
const PERIODS: Record<string, number> = { "7d": 7, "30d": 30, "90d": 90, "365d": 365 };

export const DEFAULT_PERIOD = "30d";

/** Days of the organization's zone: `until` is the day after the last one. */
export interface Range {
  from: string;
  until: string;
  days: number;
}

/** The days of a period; a longer one of one's own ends after the most days. */
export function rangeOf(period: string | undefined, time_zone: string, now = new Date()): Range {
  const own = daysOf(period);
  if (own !== null) {
    const days = Math.min(MAX_DAYS, (Date.parse(own.last) - Date.parse(own.first)) / DAY_MILLISECONDS + 1);
    return { from: own.first, until: addDays(own.first, days), days };
  }
  const days = PERIODS[period ?? DEFAULT_PERIOD] ?? 30;
  const until = addDays(dayIn(time_zone, now), 1);
  return { from: addDays(until, -days), until, days };
}

/** Weeks for a year, so that its line has no more points than the eye can separate. */
export function unitOf(unit: string | undefined, { days }: Range): Unit {
  if (unit === "day" || unit === "week" || unit === "month") return unit;
  return days > 120 ? "week" : "day";
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}
