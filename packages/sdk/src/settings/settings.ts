import type { Fetch } from "../environment.ts";
import { FindersfeeError, invalidArgument } from "../errors/errors.ts";
import { checkApiKey } from "./api-key.ts";
import { readBaseUrl } from "./base-url.ts";
import type { Hooks } from "./hooks.ts";
import type { ClientOptions } from "./options.ts";
import { readHeaders } from "./request-headers.ts";
import { userAgent } from "./user-agent.ts";

/** The client's options, parsed, shared by all its calls. */
export interface ClientSettings {
  /** The API's root, as in `https://findersfee.example.com/v1`. */
  base_url: string;
  api_key: string;
  /** Sent with every request. */
  headers: Record<string, string>;
  timeout_milliseconds: number;
  maximum_retries: number;
  hooks: Hooks;
  fetch: typeof fetch;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 10;
/** Timers count in 31 bits; a longer one fires immediately. */
const MAX_MILLISECONDS = 2 ** 31 - 1;

/** Parses the client's options. Throws `invalid_request` for invalid ones. */
export function readSettings(options: ClientOptions): ClientSettings {
  const api_key = checkApiKey(options?.apiKey);
  const user_agent = userAgent();
  return {
    base_url: readBaseUrl(options.baseUrl),
    api_key,
    headers: {
      accept: "application/json",
      ...(user_agent === null ? {} : { "user-agent": user_agent }),
      ...readHeaders(options.headers),
      authorization: `Bearer ${api_key}`,
    },
    timeout_milliseconds: readTimeout(options.timeoutMilliseconds, DEFAULT_TIMEOUT_MILLISECONDS),
    maximum_retries: readRetries(options.maxRetries, DEFAULT_RETRIES),
    hooks: readHooks(options),
    fetch: readFetch(options.fetch),
  };
}

/** A number of retries, or the default. Throws `invalid_request`. */
export function readRetries(value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= 0 && value <= MAX_RETRIES) return value;
  throw new FindersfeeError(
    invalidArgument("maxRetries", `Must be a whole number from 0 to ${MAX_RETRIES}.`),
  );
}

function readHooks({ onRequest, onResponse, onRetry }: ClientOptions): Hooks {
  for (const [name, hook] of Object.entries({ onRequest, onResponse, onRetry })) {
    if (hook !== undefined && typeof hook !== "function")
      throw new FindersfeeError(invalidArgument(name, "Must be a function."));
  }
  return { onRequest, onResponse, onRetry };
}

/** A timeout, or the default. Throws `invalid_request`. */
export function readTimeout(value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value > 0 && value <= MAX_MILLISECONDS) return value;
  throw new FindersfeeError(
    invalidArgument("timeoutMilliseconds", `Must be greater than 0 and at most ${MAX_MILLISECONDS}.`),
  );
}

/** Looks up the global `fetch` at every call, so that a later replacement takes effect. */
function readFetch(given: Fetch | undefined): typeof fetch {
  if (given === undefined) return (url, init) => fetch(url, init);
  if (typeof given === "function") return given;
  throw new FindersfeeError(invalidArgument("fetch", "Must be a function like the global fetch."));
}
