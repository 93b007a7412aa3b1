import type { CallErrorCode, Failure } from "./errors.ts";
import type { Answer } from "./exchange.ts";
import type { Settings } from "./settings.ts";

const EXCERPT_CHARACTERS = 200;

/**
 * The failure of an answer that the service did not write: a proxy in front of it did, or `baseUrl` leads to
 * another server. Also of an answer that was cut off.
 */
export function foreignFailure(answer: Answer, { base_url, api_key }: Settings): Failure {
  const { status, headers, text } = answer;
  const code = codeOf(answer);
  const body = excerptOf(text, api_key);
  return {
    code,
    message: `${base_url} answered with ${kindOf(answer)}, which is not an answer of Findersfee. ${ADVICE[code]}`,
    status,
    requestId: headers.get("x-request-id"),
    ...(body === "" ? {} : { details: { body } }),
  };
}

type ForeignCode =
  | "rate_limited"
  | "unavailable"
  | Extract<CallErrorCode, "invalid_response" | "proxy_refused">;

const CHECK_BASE_URL = "Check baseUrl: it must be the service's address, with or without /v1.";

const ADVICE: Record<ForeignCode, string> = {
  rate_limited: "A proxy in front of the service limits requests; try again later.",
  unavailable: `A proxy in front of the service answers for it; try again later. If this stays so: ${CHECK_BASE_URL}`,
  proxy_refused: `A proxy or firewall in front of the service refused the request; ask whoever runs it. ${CHECK_BASE_URL}`,
  invalid_response: CHECK_BASE_URL,
};

/** A failing proxy answers with 5xx, with a page of its own, or with a part of the answer: those may pass. */
function codeOf({ status, is_redirect }: Answer): ForeignCode {
  if (is_redirect || status === 404 || status === 405) return "invalid_response";
  if (status === 429) return "rate_limited";
  // Request Timeout and Too Early ask for the same request again.
  const is_refusal = status >= 400 && status < 500 && status !== 408 && status !== 425;
  return is_refusal ? "proxy_refused" : "unavailable";
}

function kindOf({ status, headers, text, is_redirect }: Answer): string {
  if (is_redirect) return redirection(headers);
  if (text === "") return `nothing with status ${status}`;
  const type = headers.get("content-type")?.split(";")[0] ?? "text of no type";
  return `${type === "text/html" ? "an HTML page" : type} with status ${status}`;
}

function redirection(headers: Headers): string {
  const location = headers.get("location");
  return location === null ? "a redirect" : `a redirect to ${location.split("?")[0]}`;
}

/** The beginning of a body, on one line, without the API key that a proxy may echo. */
function excerptOf(text: string, api_key: string): string {
  const plain = text.replaceAll(api_key, "…").replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
  return plain.trim().slice(0, EXCERPT_CHARACTERS);
}
