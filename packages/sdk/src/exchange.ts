import type { Failure } from "./errors.ts";
import { notify, type RequestInfo } from "./hooks.ts";
import type { HttpResponse } from "./http-response.ts";
import type { Settings } from "./settings.ts";

/** An HTTP answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Also for a redirect whose target browsers hide. */
  is_redirect: boolean;
  text: string;
}

/** What callers see of it. */
export function httpResponse({ status, headers, text }: Answer): HttpResponse {
  return { status, headers, requestId: headers.get("x-request-id"), body: text };
}

export interface Request {
  /** The calls that it carries, and the highest number of their attempts, from 1: for hooks. */
  operations: readonly string[];
  attempt: number;
  method: "GET" | "POST";
  /** Below the API's root. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request and calls back with the answer, or with why there is none. The returned function gives up. */
export function exchange(
  settings: Settings,
  request: Request,
  done: (answer: Answer | { failure: Failure }) => void,
): () => void {
  const { method, path, headers, body } = request;
  const { onRequest, onResponse } = settings.hooks;
  const controller = new AbortController();
  const init: RequestInit & { headers: Record<string, string> } = {
    method,
    headers: headers === undefined ? settings.headers : { ...settings.headers, ...headers },
    // A redirect followed would turn a POST into a GET, or leave the key behind, and fail further off.
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
    (answer) => {
      if (info !== null && onResponse !== undefined) {
        const durationMilliseconds = performance.now() - started_at;
        notify(onResponse, { request: info, response: httpResponse(answer), durationMilliseconds });
      }
      done(answer);
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

async function read({ fetch }: Settings, url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { status, headers, type } = response;
  const is_redirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return { status, headers, is_redirect, text: await response.text() };
}

function networkFailure(error: unknown, { base_url }: Settings): Failure {
  if (isProxyAuthentication(error)) {
    const message = `A proxy in front of ${base_url} asks for authentication (status 407). Pass its credentials in the option headers, or ask whoever runs it.`;
    return { code: "proxy_refused", message, status: 407, cause: error };
  }
  return {
    code: "network_error",
    message: `No answer from ${base_url} (${reasonOf(error)}). Check that the service runs there and can be reached.`,
    cause: error,
  };
}

/**
 * The Fetch standard makes a network error of status 407. Node's `fetch` gives it a cause without message and
 * code, as it does for no other failure.
 */
function isProxyAuthentication(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  const { name, message } = error.cause;
  return message === "" && name === "Error" && !("code" in error.cause);
}

/** What `fetch` rejects with mostly says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : cause.name;
  return cause.message === "" ? code : cause.message;
}
