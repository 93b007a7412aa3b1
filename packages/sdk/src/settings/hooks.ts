import type { FindersfeeError } from "../errors/errors.ts";
import type { HttpResponse } from "../http-response.ts";

/** A request that the client is about to send. */
export interface RequestInfo {
  /** The calls in the request, as in `["affiliates.get"]`: queries made at the same time share a request. */
  readonly operations: readonly string[];
  readonly method: "GET" | "POST";
  /** Includes the input of queries. */
  readonly url: string;
  /** Excludes `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** From 1; higher for a retry. */
  readonly attempt: number;
}

/** A response to a request. */
export interface ResponseInfo {
  readonly request: RequestInfo;
  readonly response: HttpResponse;
  /** From the start of the request to the end of the body. */
  readonly durationMilliseconds: number;
}

/** A failed attempt of a call that the client will retry. */
export interface RetryInfo {
  /** As in `affiliates.get`. */
  readonly operation: string;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** The attempt's failure. */
  readonly error: FindersfeeError;
  /** The time until the next attempt. */
  readonly delayMilliseconds: number;
}

/**
 * Observers of the client's requests, for logs, metrics and traces. The client does not await a hook. If a
 * hook throws or its promise rejects, the error goes to `console.error` and the call continues.
 */
export interface Hooks {
  /** Before each request, including retries. */
  onRequest?: ((info: RequestInfo) => unknown) | undefined;
  /** After each response, including errors from the service and proxies; not after a network error. */
  onResponse?: ((info: ResponseInfo) => unknown) | undefined;
  /** When an attempt of a call failed and another one follows. */
  onRetry?: ((info: RetryInfo) => unknown) | undefined;
}

/** Calls a hook. Never throws. */
export function notify<Info>(hook: (info: Info) => unknown, info: Info): void {
  try {
    const result = hook(info);
    if (typeof result === "object" && result !== null && "then" in result)
      void Promise.resolve(result).catch(report);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a hook's error must neither end the call nor go unnoticed
  console.error("Findersfee: a client hook failed.", error);
}
