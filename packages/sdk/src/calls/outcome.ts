import type { Failure } from "../errors/errors.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { RawResponse } from "./exchange.ts";
import { foreignFailure } from "./foreign-response.ts";
import { readRetryAfter } from "./retry-delay.ts";
import { fieldsOf, serviceFailure } from "./service-error.ts";

/** The data of a successful call, with the HTTP response. */
export interface Reply {
  data: object;
  response: RawResponse;
}

/** The result of one attempt of a call. */
export type Outcome = Reply | { failure: Failure; retry?: Retry };

/** When to retry; shared by all calls of one request. */
export interface Retry {
  asked_milliseconds: number | null;
  jitter: number;
}

/** Reads the outcome of each call of a request; the response to a batch is a list. */
export function readOutcomes(
  response: RawResponse | { failure: Failure },
  { calls, settings }: { calls: number; settings: ClientSettings },
): Outcome[] {
  const jitter = Math.random();
  if ("failure" in response)
    return Array(calls).fill({ ...response, retry: { asked_milliseconds: null, jitter } });
  const asked_milliseconds = readRetryAfter(response.headers.get("retry-after"), Date.now());
  const retry = { asked_milliseconds, jitter };
  const body = response.is_redirect ? undefined : parse(response.text);
  const parts = calls > 1 && Array.isArray(body) && body.length === calls ? body : Array(calls).fill(body);
  return parts.map((part) => {
    const { data } = fieldsOf(fieldsOf(part).result);
    if (typeof data === "object" && data !== null) return { data, response };
    const failure = serviceFailure(part, response, settings) ?? foreignFailure(response, settings);
    return { failure: withWaiting(failure, retry), retry };
  });
}

/** Adds the wait to the details, for callers that retry on their own. */
function withWaiting(failure: Failure, { asked_milliseconds }: Retry): Failure {
  if (asked_milliseconds === null) return failure;
  const retry_after_seconds = `${Math.ceil(asked_milliseconds / 1000)}`;
  return { ...failure, details: { ...failure.details, retry_after_seconds } };
}

function parse(text: string): unknown {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not JSON, which callers report
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
