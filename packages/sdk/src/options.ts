import type { Fetch, Signal } from "./environment.ts";
import type { Hooks } from "./hooks.ts";

export interface ClientOptions extends Hooks {
  /** A secret API key, `ff_sk_…`. Keep it out of browsers and repositories. */
  apiKey: string;
  /** The service's address, with or without `/v1`, as in `https://findersfee.example.com`. */
  baseUrl: string;
  /** How long a call may take, all attempts and the waiting between them together. Default: 30,000. */
  timeoutMilliseconds?: number | undefined;
  /** How often a call is retried, 0 to 10. Default: 3. */
  maxRetries?: number | undefined;
  /** Additional headers of every request, such as those that a proxy in front of the service asks for. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** What sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** Ends the call, and with it its attempts, its waiting, and the iteration over a list. */
  signal?: Signal | undefined;
  /** How long this call may take, instead of what the client says; of a list, each of its pages. */
  timeoutMilliseconds?: number | undefined;
  /** How often this call is retried, instead of the client's setting; of a list, each of its pages. */
  maxRetries?: number | undefined;
  /** Additional headers of this call's requests; they replace the client's. A query with headers of its own shares no request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * The same key with the same input again creates nothing, and answers as the first time, for 24 hours.
   * Default: a new one for each call, the same for all its attempts.
   */
  idempotencyKey?: string | undefined;
}
