const FIRST_MILLISECONDS = 250;
const LONGEST_MILLISECONDS = 8_000;
/** Spreads those that were told the same time to come back. */
const SPREAD_MILLISECONDS = 250;

/**
 * How long to wait before another attempt: at least what the service asked for; else twice as long after
 * each attempt (from 0), less up to half of it at random. `jitter` is from 0 to 1.
 */
export function retryDelay(attempt: number, asked_milliseconds: number | null, jitter: number): number {
  if (asked_milliseconds !== null) return asked_milliseconds + jitter * SPREAD_MILLISECONDS;
  const longest = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt);
  return longest * (1 - jitter / 2);
}

/** A header `Retry-After`, of seconds or a date (RFC 9110, 10.2.3), in milliseconds; null when it says nothing. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
