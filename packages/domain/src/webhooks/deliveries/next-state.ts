import { retryDelaySeconds } from "./retry-schedule.ts";

/** The part of an attempt's outcome that determines the delivery's state. */
export interface AttemptResult {
  delivered: boolean;
  /** The receiver answered 410: it is gone. */
  gone: boolean;
  /** From a valid `Retry-After`. */
  retry_after_seconds: number | null;
}

export interface NextState {
  state: "delivered" | "scheduled" | "exhausted";
  /** Failed attempts since the schedule started. */
  failures: number;
  /** Null unless scheduled. */
  next_attempt_at: Date | null;
}

/**
 * Computes a delivery's state after an attempt: docs/webhooks.md, "Retries". `recordStatement` in
 * packages/database/src/webhooks/delivery-results.ts writes it. `failures` counts earlier failures; `random` is from 0 to 1,
 * exclusive.
 */
export function nextState(
  failures: number,
  result: AttemptResult,
  { now, random }: { now: Date; random: number },
): NextState {
  if (result.delivered) return { state: "delivered", failures: 0, next_attempt_at: null };
  const failed = failures + 1;
  const delay = result.gone ? null : retryDelaySeconds(failed, random);
  if (delay === null) return { state: "exhausted", failures: failed, next_attempt_at: null };
  const seconds = Math.max(delay, result.retry_after_seconds ?? 0);
  return {
    state: "scheduled",
    failures: failed,
    next_attempt_at: new Date(now.getTime() + Math.round(seconds * 1000)),
  };
}
