import type { Outcome } from "./answer.ts";
import { type Failure, FindersfeeError } from "./errors.ts";
import { notify } from "./hooks.ts";
import { isUncertain, nameKey } from "./idempotency-key.ts";
import { Limit } from "./limit.ts";
import type { CallOptions } from "./options.ts";
import type { CallReply } from "./pending-call.ts";
import { retryDelay } from "./retry-delay.ts";
import { readRetries, readTimeout, type Settings } from "./settings.ts";

/** Makes one attempt, counted from 0, and waits for its outcome no longer than the limit. */
export type Send = (attempt: number, limit: Limit) => Promise<Outcome>;

/** A call of a procedure, however often it is sent. */
export interface Call {
  settings: Settings;
  options: CallOptions;
  /** As in `affiliates.get`. */
  operation: string;
  /** Null for calls that carry none. */
  idempotency_key: string | null;
}

/**
 * Retrying is safe for all of these: a `create` carries one key, and an update sets values. An `internal_error`
 * may come after the change was committed, so a retry with the key also finds out.
 */
const RETRIED: readonly Failure["code"][] = [
  "network_error",
  "rate_limited",
  "unavailable",
  "internal_error",
];

/**
 * Makes attempts until one succeeds or fails for good, or until the call's time or retries are used up. Every
 * failure is a `FindersfeeError`.
 *
 * The data is taken for the procedure's declared output: the service has checked it against the schemas that
 * the types are made from.
 */
export async function call<Output>(call: Call, send: Send): Promise<CallReply<Output>> {
  const { settings, options } = call;
  const maximum_retries = readRetries(options.maxRetries, settings.maximum_retries);
  const limit = new Limit(
    readTimeout(options.timeoutMilliseconds, settings.timeout_milliseconds),
    options.signal,
  );
  try {
    let before: Failure | null = null;
    let is_uncertain = false;
    for (let attempt = 0; ; attempt++) {
      const is_sent = limit.failure === null;
      const outcome = await send(attempt, limit);
      if ("data" in outcome) return { data: outcome.data as Output, answer: outcome.answer };
      is_uncertain ||= is_sent && isUncertain(outcome.failure);
      const delay = attempt < maximum_retries ? delayAfter(outcome, attempt) : null;
      if (delay === null || delay > limit.remaining_milliseconds) {
        const failure = summary(outcome.failure, attempt, before);
        throw new FindersfeeError(is_uncertain ? nameKey(failure, call.idempotency_key) : failure);
      }
      before = outcome.failure;
      announceRetry(call, { failure: before, attempt, delay });
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
function delayAfter({ failure, retry }: Exclude<Outcome, { data: object }>, attempt: number): number | null {
  if (retry === undefined) return null;
  // The attempt before may still be at work, though its answer will not come.
  const is_under_way = failure.code === "idempotency_conflict" && attempt > 0;
  if (!is_under_way && !RETRIED.includes(failure.code)) return null;
  return retryDelay(attempt, retry.asked_milliseconds, retry.jitter);
}

function announceRetry(
  { settings: { hooks }, operation }: Call,
  { failure, attempt, delay }: { failure: Failure; attempt: number; delay: number },
): void {
  if (hooks.onRetry === undefined) return;
  const error = new FindersfeeError(failure);
  notify(hooks.onRetry, { operation, attempt: attempt + 1, error, delayMilliseconds: delay });
}

/** The last failure, with what came before it. */
function summary(failure: Failure, attempt: number, before: Failure | null): Failure {
  if (before === null) return failure;
  const cause = failure.code === "timeout" ? new FindersfeeError(before) : failure.cause;
  return { ...failure, message: `${failure.message} (Attempts: ${attempt + 1}.)`, cause };
}
