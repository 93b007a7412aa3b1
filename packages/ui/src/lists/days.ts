/** A period of one's own, by its first and last day: `2026-01-01..2026-01-31`. */
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/** The first and the last day of a period of one's own; null for others. */
export function daysOf(period: string | undefined): { first: string; last: string } | null {
  const [, first = "", last = ""] = RANGE.exec(period ?? "") ?? [];
  const are_days = !Number.isNaN(Date.parse(first)) && !Number.isNaN(Date.parse(last));
  return are_days && first <= last ? { first, last } : null;
}

/** The day in a zone. */
export function dayIn(time_zone: string, now: Date): string {
  // The Swedish locale writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone }).format(now);
}
