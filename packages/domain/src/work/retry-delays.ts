import type { WorkKind } from "@findersfee/database/work/due-work";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The backoff of one kind of work. */
export interface RetryDelays {
  /** After the first failure, the second one, and so on. */
  seconds: readonly number[];
  /** After more failures, the work is retried at the last delay, or given up until staff retry it. */
  gives_up: boolean;
}

/** Deliveries of webhooks have a schedule of their own: `webhooks/deliveries/retry-schedule.ts`. */
export const RETRY_DELAYS = {
  inbound_webhooks: { seconds: [5, MINUTE, 10 * MINUTE, HOUR, HOUR, HOUR, HOUR], gives_up: true },
  lookups: {
    seconds: [30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR],
    gives_up: true,
  },
  promo_codes: { seconds: [30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR], gives_up: false },
  // The same for every rejection: a misconfigured mail server rejects mails as permanent errors, and accepts them an hour later.
  mails: {
    seconds: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR],
    gives_up: true,
  },
  payout_runs: { seconds: [5, 30, MINUTE, 5 * MINUTE], gives_up: false },
  reviews: { seconds: [5, MINUTE, 10 * MINUTE, HOUR], gives_up: false },
  replays: { seconds: [5, 30, MINUTE, 5 * MINUTE], gives_up: false },
  // Somebody watches: it gives up after about ten minutes, and can be started again.
  jobs: { seconds: [1, 5, 30, MINUTE, 2 * MINUTE, 5 * MINUTE], gives_up: true },
  totals: { seconds: [5, MINUTE, 10 * MINUTE, HOUR], gives_up: false },
  tiers: { seconds: [5, MINUTE, 10 * MINUTE, HOUR], gives_up: false },
} as const satisfies Record<WorkKind, RetryDelays>;

/** Seconds until work with this number of failures is retried; null: it is given up. */
export function retryDelay({ seconds, gives_up }: RetryDelays, failures: number): number | null {
  return seconds[failures] ?? (gives_up ? null : (seconds.at(-1) ?? null));
}

/** The same for work that is never given up. */
export function repeatedDelay(delays: RetryDelays & { gives_up: false }, failures: number): number {
  return retryDelay(delays, failures) ?? 0;
}
