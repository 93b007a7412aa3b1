const FIRST_MILLISECONDS = 250;
const MAX_MILLISECONDS = 8_000;
/** Spreads out clients that received the same Retry-After. */
const SPREAD_MILLISECONDS = 250;

/**
 * The delay before another attempt: at least the Retry-After of the service, else doubled after each attempt
 * (from 0) and reduced by up to half at random. `jitter` is from 0 to 1.
 */
export function retryDelay(attempt: number, asked_milliseconds: number | null, jitter: number): number {
  if (asked_milliseconds !== null) return asked_milliseconds + jitter * SPREAD_MILLISECONDS;
  const longest = Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt);
  return longest * (1 - jitter / 2);
}

/**
 * Parses a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3), to milliseconds; null when
 * invalid.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
