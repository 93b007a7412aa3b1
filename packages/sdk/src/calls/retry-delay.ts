const BASE_MILLISECONDS = 250;
const MAX_MILLISECONDS = 8_000;
/** Spreads out clients that received the same Retry-After. */
const MAX_JITTER_MILLISECONDS = 250;

/**
 * The delay before another attempt: at least the service's Retry-After. Without one, exponential backoff, reduced at random by
 * up to half. `attempt` counts from 0; `jitter` is a random number from 0 to 1.
 */
export function retryDelay(attempt: number, retry_after_milliseconds: number | null, jitter: number): number {
  if (retry_after_milliseconds !== null) return retry_after_milliseconds + jitter * MAX_JITTER_MILLISECONDS;
  const backoff = Math.min(MAX_MILLISECONDS, BASE_MILLISECONDS * 2 ** attempt);
  return backoff * (1 - jitter / 2);
}

/**
 * Parses a `Retry-After` header, which has seconds or a date (RFC 9110, 10.2.3). Returns milliseconds, or null if it is
 * invalid.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
