import type { PayoutCalendarRow } from "@findersfee/database/payouts/calendar";

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
function dayIn(time_zone: string, at: Date): string {
  const known = formats.get(time_zone);
  // Swedish days are written as in ISO 8601.
  const format = known ?? new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone });
  if (known === undefined) formats.set(time_zone, format);
  return format.format(at);
}

/**
 * The month of a run that starts at a moment, as `YYYY-MM`: the month in the organization's time zone, or that of the last run if the
 * zone has moved back to the month before it since. Runs keep their months, so none is started for a month twice.
 */
export function periodOf(
  { time_zone, last_period }: Pick<PayoutCalendarRow, "time_zone" | "last_period">,
  at: Date,
): string {
  const month = dayIn(time_zone, at).slice(0, 7);
  return last_period !== null && last_period > month ? last_period : month;
}

/**
 * The month of the run that the payout day starts now, as `YYYY-MM`; null: none. Until the next payout day,
 * it is also the month before, so that it is not skipped if no worker ran, or if the time zone moved past the
 * payout day: from 27 February to 1 March, for example.
 */
export function duePeriod(calendar: PayoutCalendarRow, now: Date): string | null {
  const { time_zone, payout_day, payout_day_since, last_period } = calendar;
  if (payout_day === null || payout_day_since === null) return null;
  const today = dayIn(time_zone, now);
  const month = today.slice(0, 7);
  const has_begun = today >= dayOf(month, payout_day);
  const period = has_begun ? month : monthAfter(month, -1);
  if (last_period !== null && last_period >= period) return null;
  if (!has_begun && dayOf(period, payout_day) < dayIn(time_zone, payout_day_since)) return null;
  return period;
}

/**
 * The day in the organization's time zone, as `YYYY-MM-DD`, on which the payout day starts the next run: today, if a worker is about to
 * start it. Null: no payout day.
 */
export function nextRunOn(calendar: PayoutCalendarRow, now: Date): string | null {
  const { time_zone, payout_day, last_period } = calendar;
  if (payout_day === null) return null;
  if (duePeriod(calendar, now) !== null) return dayIn(time_zone, now);
  const period = periodOf(calendar, now);
  return dayOf(last_period === period ? monthAfter(period, 1) : period, payout_day);
}

function dayOf(period: string, day: number): string {
  return `${period}-${String(day).padStart(2, "0")}`;
}

/** The month that is some months after another one. */
function monthAfter(period: string, months: number): string {
  const [year = 0, month = 0] = period.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 7);
}
