import { checkApiKey } from "./api-key.ts";
import { readBaseUrl } from "./base-url.ts";
import type { Fetch } from "./environment.ts";
import { FindersfeeError, invalidArgument } from "./errors.ts";
import type { ClientOptions } from "./options.ts";

/** What all calls of a client share. */
export interface Settings {
  /** The API's root, as in `https://findersfee.example.com/v1`. */
  base_url: string;
  headers: Record<string, string>;
  timeout_milliseconds: number;
  maximum_retries: number;
  fetch: typeof fetch;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;
const DEFAULT_RETRIES = 3;
const MOST_RETRIES = 10;
/** Timers count in 31 bits, and one that cannot goes off at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

/** Throws `invalid_request` for options that cannot work. */
export function readSettings(options: ClientOptions): Settings {
  const api_key = checkApiKey(options?.apiKey);
  const { timeoutMilliseconds, maxRetries = DEFAULT_RETRIES } = options;
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > MOST_RETRIES) {
    throw new FindersfeeError(
      invalidArgument("maxRetries", `Must be a whole number from 0 to ${MOST_RETRIES}.`),
    );
  }
  return {
    base_url: readBaseUrl(options.baseUrl),
    headers: { authorization: `Bearer ${api_key}`, accept: "application/json" },
    timeout_milliseconds: readTimeout(timeoutMilliseconds, DEFAULT_TIMEOUT_MILLISECONDS),
    maximum_retries: maxRetries,
    fetch: readFetch(options.fetch),
  };
}

/** A time limit, or the one that holds where none is given. Throws `invalid_request`. */
export function readTimeout(value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value > 0 && value <= LONGEST_MILLISECONDS) return value;
  throw new FindersfeeError(
    invalidArgument("timeoutMilliseconds", `Must be a number over 0, at most ${LONGEST_MILLISECONDS}.`),
  );
}

/** The global one is looked up at every call, so that what replaces it later is used, too. */
function readFetch(given: Fetch | undefined): typeof fetch {
  if (given === undefined) return (url, init) => fetch(url, init);
  if (typeof given === "function") return given;
  throw new FindersfeeError(invalidArgument("fetch", "Must be a function like the global fetch."));
}
