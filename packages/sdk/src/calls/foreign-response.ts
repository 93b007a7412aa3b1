import type { CallErrorCode, Failure } from "../errors/errors.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { RawResponse } from "./exchange.ts";

const EXCERPT_CHARACTERS = 200;

/**
 * The failure for a response that the service did not write: it came from a proxy, from another server at
 * `baseUrl`, or it was truncated.
 */
export function foreignFailure(response: RawResponse, { base_url, api_key }: ClientSettings): Failure {
  const { status, headers, text } = response;
  const code = codeOf(response);
  const body = excerptOf(text, api_key);
  return {
    code,
    message: `${base_url} responded with ${kindOf(response)}, which is not a Findersfee response. ${ADVICE[code]}`,
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
  unavailable: `A proxy in front of the service responded in its place; try again later. If this persists: ${CHECK_BASE_URL}`,
  proxy_refused: `A proxy or firewall in front of the service rejected the request; contact its operator. ${CHECK_BASE_URL}`,
  invalid_response: CHECK_BASE_URL,
};

/**
 * A failing proxy responds with 5xx, with its own page, or with a truncated response: these are temporary.
 */
function codeOf({ status, is_redirect }: RawResponse): ForeignCode {
  if (is_redirect || status === 404 || status === 405) return "invalid_response";
  if (status === 429) return "rate_limited";
  // Request Timeout and Too Early ask the client to repeat the request.
  const is_refusal = status >= 400 && status < 500 && status !== 408 && status !== 425;
  return is_refusal ? "proxy_refused" : "unavailable";
}

function kindOf({ status, headers, text, is_redirect }: RawResponse): string {
  if (is_redirect) return redirection(headers);
  if (text === "") return `nothing with status ${status}`;
  const type = headers.get("content-type")?.split(";")[0] ?? "untyped text";
  return `${type === "text/html" ? "an HTML page" : type} with status ${status}`;
}

function redirection(headers: Headers): string {
  const location = headers.get("location");
  return location === null ? "a redirect" : `a redirect to ${location.split("?")[0]}`;
}

/** The beginning of a body on one line, without the API key, which a proxy may echo. */
function excerptOf(text: string, api_key: string): string {
  const plain = text.replaceAll(api_key, "…").replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
  return plain.trim().slice(0, EXCERPT_CHARACTERS);
}
