import type { Fetch, Signal } from "./environment.ts";

export interface ClientOptions {
  /** A secret API key, `ff_sk_…`. Keep it out of browsers and repositories. */
  apiKey: string;
  /** The service's address, with or without `/v1`, as in `https://findersfee.example.com`. */
  baseUrl: string;
  /** How long a call may take, all attempts and the waiting between them together. Default: 30,000. */
  timeoutMilliseconds?: number | undefined;
  /** How often a call is tried again after 429, 503 and network errors, 0 to 10. Default: 3. */
  maxRetries?: number | undefined;
  /** What sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** Ends the call, and with it its attempts, its waiting, and the iteration over a list. */
  signal?: Signal | undefined;
  /** How long this call may take, instead of what the client says; of a list, each of its pages. */
  timeoutMilliseconds?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * The same key with the same input again creates nothing, and answers as the first time, for 24 hours.
   * Default: a new one for each call, the same for all its attempts.
   */
  idempotencyKey?: string | undefined;
}
