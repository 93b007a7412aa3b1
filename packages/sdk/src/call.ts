import type { Outcome } from "./answer.ts";
import { type Failure, FindersfeeError } from "./errors.ts";
import { Limit } from "./limit.ts";
import type { CallOptions } from "./options.ts";
import { retryDelay } from "./retry-delay.ts";
import { readTimeout, type Settings } from "./settings.ts";

/** Makes one attempt, counted from 0, and waits for what becomes of it no longer than the limit. */
export type Send = (attempt: number, limit: Limit) => Promise<Outcome>;

const RETRIED: readonly Failure["code"][] = ["network_error", "rate_limited", "unavailable"];

/**
 * Makes attempts until one succeeds, or fails for good, or the call's time or the client's retries are used
 * up. Every failure is a `FindersfeeError`.
 *
 * What comes back is taken for what the procedure is declared to return: the service has checked it against
 * the schemas that the types are made from.
 */
export async function call<Output>(settings: Settings, options: CallOptions, send: Send): Promise<Output> {
  const limit = new Limit(
    readTimeout(options.timeoutMilliseconds, settings.timeout_milliseconds),
    options.signal,
  );
  try {
    let before: Failure | null = null;
    for (let attempt = 0; ; attempt++) {
      const outcome = await send(attempt, limit);
      if ("data" in outcome) return outcome.data as Output;
      const delay = delayAfter(outcome, attempt, settings);
      if (delay === null || delay > limit.remaining_milliseconds) {
        throw new FindersfeeError(summary(outcome.failure, attempt, before));
      }
      before = outcome.failure;
      await limit.wait((done) => {
        const timer = setTimeout(done, delay, null);
        return () => clearTimeout(timer);
      });
    }
  } finally {
    limit.release();
  }
}

/** How long to wait before the next attempt; null when there is none. */
function delayAfter(
  { failure, retry }: Exclude<Outcome, { data: object }>,
  attempt: number,
  { maximum_retries }: Settings,
): number | null {
  if (retry === undefined || attempt >= maximum_retries) return null;
  // The attempt before may still be at work, though its answer will not come.
  const is_under_way = failure.code === "idempotency_conflict" && attempt > 0;
  if (!is_under_way && !RETRIED.includes(failure.code)) return null;
  return retryDelay(attempt, retry.asked_milliseconds, retry.jitter);
}

/** The last failure, with what came before it. */
function summary(failure: Failure, attempt: number, before: Failure | null): Failure {
  if (before === null) return failure;
  const cause = failure.code === "timeout" ? new FindersfeeError(before) : failure.cause;
  return { ...failure, message: `${failure.message} (Attempts: ${attempt + 1}.)`, cause };
}
