const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const LEAST_DAYS = 120;

/**
 * The start of the tests' time, in UTC: the last January 1 or July 1 that is at least 120 days ago, and so at most 304.
 * A click counts as known from a day ahead of the clock until it is 400 days old, so tests may click up to 95 days
 * before the start and up to 120 days after it, whenever they run. Years alone would leave 35 days. Both months have 31
 * days, so that tests may count days over their end.
 */
export const START = startBefore(new Date(Date.now() - LEAST_DAYS * DAY_MILLISECONDS));

function startBefore(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() < 6 ? 0 : 6, 1));
}

/** The day this many days after the start, as `2026-01-31`. */
export function onDay(days: number): string {
  return new Date(START.getTime() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}
