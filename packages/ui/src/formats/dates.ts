import type { Clock } from "./clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(date: Date, { time_zone, locale }: Clock, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${time_zone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  const formatter = known ?? new Intl.DateTimeFormat(locale, { timeZone: time_zone, ...options });
  if (known === undefined) formatters.set(key, formatter);
  // Some engines write a narrow space before PM, others an ordinary one.
  return formatter.format(date).replaceAll("\u202f", " ");
}

const DAY = { day: "numeric", month: "short" } as const;

const with_12_hours = new Map<string, boolean>();

/** `8:06 PM`, and `08:06` with 24 hours. */
function timeIn({ locale }: Clock): Intl.DateTimeFormatOptions {
  const known = with_12_hours.get(locale);
  const has_12 =
    known ?? new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
  if (known === undefined) with_12_hours.set(locale, has_12);
  return { hour: has_12 ? "numeric" : "2-digit", minute: "2-digit" };
}

/** The year of a date, if it is not this year. */
function otherYear(date: Date, clock: Clock, now: Date): { year?: "numeric" } {
  const yearOf = (at: Date) => format(at, clock, { year: "numeric" });
  return yearOf(date) === yearOf(now) ? {} : { year: "numeric" };
}

/** `Nov 21`; another year is named: `Nov 21, 2025`. */
export function formatDay(date: Date, clock: Clock, now = new Date()): string {
  return format(date, clock, { ...DAY, ...otherYear(date, clock, now) });
}

/** `Nov 21, 2026`, for papers and lists that are read in other years. */
export function formatFullDay(date: Date, clock: Clock): string {
  return format(date, clock, { ...DAY, year: "numeric" });
}

/** `Nov 21`, of any year: where something else names it. */
export function formatDayOfYear(date: Date, clock: Clock): string {
  return format(date, clock, DAY);
}

/** `Nov 21, 9:30 AM`. */
export function formatDateTime(date: Date, clock: Clock, now = new Date()): string {
  return format(date, clock, { ...DAY, ...otherYear(date, clock, now), ...timeIn(clock) });
}

/** `November 2026`. */
export function formatMonth(date: Date, clock: Clock): string {
  return format(date, clock, { month: "long", year: "numeric" });
}

/** `Nov 2026`, for axes. */
export function formatShortMonth(date: Date, clock: Clock): string {
  return format(date, clock, { month: "short", year: "numeric" });
}

/** `12 min ago` within an hour, else the date and time. */
export function formatRelative(date: Date, clock: Clock, now = new Date()): string {
  const passed = now.getTime() - date.getTime();
  if (Math.abs(passed) >= HOUR) return formatDateTime(date, clock, now);
  if (Math.abs(passed) < MINUTE) return "just now";
  const minutes = Math.trunc(Math.abs(passed) / MINUTE);
  return passed > 0 ? `${minutes} min ago` : `in ${minutes} min`;
}

/** For a tooltip: the local time with its zone, UTC, and ISO 8601. */
export function describeTime(date: Date, clock: Clock): string {
  const time = { ...timeIn(clock), second: "2-digit", timeZoneName: "short" } as const;
  const full = { ...DAY, year: "numeric", ...time } as const;
  const local = format(date, clock, full);
  const utc = format(date, { ...clock, time_zone: "UTC" }, full);
  return `${local}\n${utc}\n${date.toISOString()}`;
}
