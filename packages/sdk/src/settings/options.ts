import type { Fetch, Signal } from "../environment.ts";
import type { Hooks } from "./hooks.ts";

export interface ClientOptions extends Hooks {
  /** A secret API key, `ff_sk_…`. Keep it out of browsers and repositories. */
  apiKey: string;
  /** The service's address, with or without `/v1`, as in `https://findersfee.example.com`. */
  baseUrl: string;
  /** The timeout of a call, including all attempts and the delays between them. Default: 30,000. */
  timeoutMilliseconds?: number | undefined;
  /** The maximum number of retries of a call, 0 to 10. Default: 3. */
  maxRetries?: number | undefined;
  /** Additional headers for every request, such as those that a proxy in front of the service requires. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests, in place of the global `fetch`. */
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** Aborts the call, including its attempts, delays, and the iteration over a list. */
  signal?: Signal | undefined;
  /** The timeout of this call, in place of the client's; for a list, of each page. */
  timeoutMilliseconds?: number | undefined;
  /** The maximum number of retries of this call, in place of the client's; for a list, of each page. */
  maxRetries?: number | undefined;
  /**
   * Additional headers for this call's requests; they replace the client's. A query with its own headers is
   * never batched.
   */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Repeating the same key with the same input creates nothing and returns the first response, for 24 hours.
   * Default: a new key for each call, used for all its attempts.
   */
  idempotencyKey?: string | undefined;
}
