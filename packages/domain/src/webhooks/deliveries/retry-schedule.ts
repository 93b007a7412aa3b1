const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Delays after the first failed attempt, the second one, and so on: docs/webhooks.md, "Retries". A delivery waits longer
 * while its endpoint is failing, which then gets one delivery at a time (`endpoints/probes.ts`).
 */
const DELAYS_SECONDS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR] as const;

/** Jitter, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** The maximum delay by a receiver's `Retry-After`. */
export const MAX_RETRY_AFTER_SECONDS = 2 * HOUR;

/**
 * Seconds until the next attempt after the given number of failed ones, or null when there is none. `random` is from 0
 * to 1, exclusive.
 */
export function retryDelaySeconds(failures: number, random: number): number | null {
  const delay = DELAYS_SECONDS[failures - 1];
  return delay === undefined ? null : delay * (1 - JITTER + 2 * JITTER * random);
}
