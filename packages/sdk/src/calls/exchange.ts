import type { Failure } from "../errors/errors.ts";
import type { HttpResponse } from "../http-response.ts";
import { notify, type RequestInfo } from "../settings/hooks.ts";
import type { ClientSettings } from "../settings/settings.ts";

/** An HTTP response with its body read. */
export interface RawResponse {
  status: number;
  headers: Headers;
  /** Also true for an opaque redirect: browsers hide its target. */
  is_redirect: boolean;
  text: string;
}

/** The public view of a response. */
export function httpResponse({ status, headers, text }: RawResponse): HttpResponse {
  return { status, headers, requestId: headers.get("x-request-id"), body: text };
}

export interface Request {
  /** For hooks: the calls in the request, and the highest of their attempt numbers, from 1. */
  operations: readonly string[];
  attempt: number;
  method: "GET" | "POST";
  /** Relative to the API's root. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request and calls back with the response or the failure. The returned function aborts it. */
export function exchange(
  settings: ClientSettings,
  request: Request,
  done: (response: RawResponse | { failure: Failure }) => void,
): () => void {
  const { method, path, headers, body } = request;
  const { onRequest, onResponse } = settings.hooks;
  const controller = new AbortController();
  const init: RequestInit & { headers: Record<string, string> } = {
    method,
    headers: headers === undefined ? settings.headers : { ...settings.headers, ...headers },
    // Following a redirect would turn a POST into a GET or drop the key, and fail later.
    redirect: "manual",
    signal: controller.signal,
    ...(body === undefined ? {} : { body }),
  };
  const url = `${settings.base_url}${path}`;
  const info =
    onRequest === undefined && onResponse === undefined ? null : infoOf(request, url, init.headers);
  if (info !== null && onRequest !== undefined) notify(onRequest, info);
  const started_at = performance.now();
  read(settings, url, init).then(
    (response) => {
      if (info !== null && onResponse !== undefined) {
        const durationMilliseconds = performance.now() - started_at;
        notify(onResponse, { request: info, response: httpResponse(response), durationMilliseconds });
      }
      done(response);
    },
    (error: unknown) => done({ failure: networkFailure(error, settings) }),
  );
  return () => controller.abort();
}

function infoOf(
  { operations, method, attempt }: Request,
  url: string,
  { authorization: _secret, ...headers }: Record<string, string>,
): RequestInfo {
  return { operations, method, url, headers, attempt };
}

async function read({ fetch }: ClientSettings, url: string, init: RequestInit): Promise<RawResponse> {
  const response = await fetch(url, init);
  const { status, headers, type } = response;
  const is_redirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return { status, headers, is_redirect, text: await response.text() };
}

function networkFailure(error: unknown, { base_url }: ClientSettings): Failure {
  if (isProxyAuthentication(error)) {
    const message = `A proxy in front of ${base_url} asks for authentication (status 407). Pass its credentials in the option headers, or contact its operator.`;
    return { code: "proxy_refused", message, status: 407, cause: error };
  }
  return {
    code: "network_error",
    message: `No response from ${base_url} (${reasonOf(error)}). Check that the service is running and reachable.`,
    cause: error,
  };
}

/**
 * The Fetch standard turns status 407 into a network error. Node's `fetch` gives only this failure a cause
 * without a message and a code.
 */
function isProxyAuthentication(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  const { name, message } = error.cause;
  return message === "" && name === "Error" && !("code" in error.cause);
}

/** The error of `fetch` mostly says only that it failed; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : cause.name;
  return cause.message === "" ? code : cause.message;
}
