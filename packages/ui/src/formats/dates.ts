import type { Clock } from "./clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(date: Date, { time_zone, locale }: Clock, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${time_zone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  const formatter = known ?? new Intl.DateTimeFormat(locale, { timeZone: time_zone, ...options });
  if (known === undefined) formatters.set(key, formatter);
  return formatter.format(date).replaceAll(",", "");
}

function yearOf(date: Date, clock: Clock): string {
  return format(date, clock, { year: "numeric" });
}

/** `21 Nov`; another year is named: `21 Nov 2025`. */
export function formatDay(date: Date, clock: Clock, now = new Date()): string {
  const year = yearOf(date, clock) === yearOf(now, clock) ? {} : ({ year: "numeric" } as const);
  return format(date, clock, { day: "numeric", month: "short", ...year });
}

/** `09:30`. */
function formatTime(date: Date, clock: Clock): string {
  return format(date, clock, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** `21 Nov 09:30`. */
export function formatDateTime(date: Date, clock: Clock, now = new Date()): string {
  return `${formatDay(date, clock, now)} ${formatTime(date, clock)}`;
}

/** `November 2026`. */
export function formatMonth(date: Date, clock: Clock): string {
  return format(date, clock, { month: "long", year: "numeric" });
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
  const full = { day: "numeric", month: "short", year: "numeric", ...TIME } as const;
  const local = format(date, clock, { ...full, timeZoneName: "short" });
  const utc = format(date, { ...clock, time_zone: "UTC" }, { ...full, timeZoneName: "short" });
  return `${local}\n${utc}\n${date.toISOString()}`;
}

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
