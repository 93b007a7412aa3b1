import type { FindersfeeError } from "./errors.ts";
import type { HttpResponse } from "./http-response.ts";

/** A request that the client is about to send. */
export interface RequestInfo {
  /** The calls that it carries, as in `["affiliates.get"]`: queries made at the same time share a request. */
  readonly operations: readonly string[];
  readonly method: "GET" | "POST";
  /** With the input of queries. */
  readonly url: string;
  /** Without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** From 1; more for a retry. */
  readonly attempt: number;
}

/** A response to a request. */
export interface ResponseInfo {
  readonly request: RequestInfo;
  readonly response: HttpResponse;
  /** From the request to the end of the body. */
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
 * Observers of what a client sends, for logs, metrics and traces. A hook is not awaited and changes nothing: if
 * it throws, or its promise rejects, the error goes to `console.error` and the call continues.
 */
export interface Hooks {
  /** Before each request, retries included. */
  onRequest?: ((info: RequestInfo) => unknown) | undefined;
  /** After each response, errors of the service and of proxies included; not after a network error. */
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
  // biome-ignore lint/suspicious/noConsole: a hook's error must not end the call, and must not vanish
  console.error("Findersfee: a hook of the client failed.", error);
}
