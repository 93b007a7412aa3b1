import type { Failure } from "./errors.ts";
import type { Answer } from "./exchange.ts";
import { foreignFailure } from "./foreign-answer.ts";
import { readRetryAfter } from "./retry-delay.ts";
import { fieldsOf, serviceFailure } from "./service-error.ts";
import type { Settings } from "./settings.ts";

/** The data of a call that succeeded, with the answer that it came in. */
export interface Reply {
  data: object;
  answer: Answer;
}

/** The result of one attempt of a call. */
export type Outcome = Reply | { failure: Failure; retry?: Retry };

/** When to retry, the same for all calls of one request. */
export interface Retry {
  asked_milliseconds: number | null;
  jitter: number;
}

/** The outcomes of the calls that one request made; a batch's answer is a list. */
export function readOutcomes(
  answer: Answer | { failure: Failure },
  { calls, settings }: { calls: number; settings: Settings },
): Outcome[] {
  const jitter = Math.random();
  if ("failure" in answer)
    return Array(calls).fill({ ...answer, retry: { asked_milliseconds: null, jitter } });
  const asked_milliseconds = readRetryAfter(answer.headers.get("retry-after"), Date.now());
  const retry = { asked_milliseconds, jitter };
  const body = answer.is_redirect ? undefined : parse(answer.text);
  const parts = calls > 1 && Array.isArray(body) && body.length === calls ? body : Array(calls).fill(body);
  return parts.map((part) => {
    const { data } = fieldsOf(fieldsOf(part).result);
    if (typeof data === "object" && data !== null) return { data, answer };
    const failure = serviceFailure(part, answer, settings) ?? foreignFailure(answer, settings);
    return { failure: withWaiting(failure, retry), retry };
  });
}

/** For callers that retry by themselves. */
function withWaiting(failure: Failure, { asked_milliseconds }: Retry): Failure {
  if (asked_milliseconds === null) return failure;
  const retry_after_seconds = `${Math.ceil(asked_milliseconds / 1000)}`;
  return { ...failure, details: { ...failure.details, retry_after_seconds } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
