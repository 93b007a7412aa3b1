import { type Failure, FindersfeeError } from "../errors/errors.ts";
import { notify } from "../settings/hooks.ts";
import type { CallOptions } from "../settings/options.ts";
import { type ClientSettings, readRetries, readTimeout } from "../settings/settings.ts";
import { isUncertain, nameKey } from "./idempotency-key.ts";
import { Limit } from "./limit.ts";
import type { Outcome } from "./outcome.ts";
import type { CallReply } from "./pending-call.ts";
import { retryDelay } from "./retry-delay.ts";

/** Makes one attempt, counted from 0, and waits for its outcome until the limit. */
export type Send = (attempt: number, limit: Limit) => Promise<Outcome>;

/** A procedure call, including its retries. */
export interface Call {
  settings: ClientSettings;
  options: CallOptions;
  /** As in `affiliates.get`. */
  operation: string;
  /** Null for calls without a key. */
  idempotency_key: string | null;
}

/**
 * These codes are safe to retry: a `create` carries one key for all attempts, and an update sets values. An
 * `internal_error` may follow a committed change; a retry with the same key detects that.
 */
const RETRIED: readonly Failure["code"][] = [
  "network_error",
  "rate_limited",
  "unavailable",
  "internal_error",
];

/**
 * Makes attempts until one succeeds or fails permanently, or until the call runs out of time or retries.
 * Every failure is a `FindersfeeError`.
 *
 * The data is cast to the procedure's declared output: the service validates it against the schemas that
 * generate the types.
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
      if ("data" in outcome) return { data: outcome.data as Output, response: outcome.response };
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

/** The delay before the next attempt; null for no further attempt. */
function delayAfter({ failure, retry }: Exclude<Outcome, { data: object }>, attempt: number): number | null {
  if (retry === undefined) return null;
  // The previous attempt may still be running, although its response is lost.
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

/** The last failure, with the earlier attempts in its message. */
function summary(failure: Failure, attempt: number, before: Failure | null): Failure {
  if (before === null) return failure;
  const cause = failure.code === "timeout" ? new FindersfeeError(before) : failure.cause;
  return { ...failure, message: `${failure.message} (Attempts: ${attempt + 1}.)`, cause };
}
