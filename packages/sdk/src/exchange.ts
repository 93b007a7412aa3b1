import type { Failure } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** An HTTP answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Also for a redirect whose target browsers hide. */
  is_redirect: boolean;
  text: string;
}

export interface Request {
  method: "GET" | "POST";
  /** Below the API's root. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request and calls back with the answer, or with why there is none. The returned function gives up. */
export function exchange(
  settings: Settings,
  { method, path, headers, body }: Request,
  done: (answer: Answer | { failure: Failure }) => void,
): () => void {
  const controller = new AbortController();
  const init: RequestInit = {
    method,
    headers: headers === undefined ? settings.headers : { ...settings.headers, ...headers },
    // A redirect followed would turn a POST into a GET, or leave the key behind, and fail further off.
    redirect: "manual",
    signal: controller.signal,
    ...(body === undefined ? {} : { body }),
  };
  read(settings, `${settings.base_url}${path}`, init).then(done, (error: unknown) =>
    done({ failure: networkFailure(error, settings) }),
  );
  return () => controller.abort();
}

async function read({ fetch }: Settings, url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { status, headers, type } = response;
  const is_redirect = type === "opaqueredirect" || (status >= 300 && status < 400);
  return { status, headers, is_redirect, text: await response.text() };
}

function networkFailure(error: unknown, { base_url }: Settings): Failure {
  return {
    code: "network_error",
    message: `No answer from ${base_url} (${reasonOf(error)}). Check that the service runs there and can be reached.`,
    cause: error,
  };
}

/** What `fetch` rejects with mostly says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : cause.name;
  return cause.message === "" ? code : cause.message;
}
