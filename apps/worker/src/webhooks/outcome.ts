import type { AttemptErrorCode } from "@findersfee/contract/webhooks/deliveries";
import { hasCode } from "@findersfee/database/postgres/error-code";
import { MAX_RETRY_AFTER_SECONDS } from "@findersfee/domain/webhooks/deliveries/retry-schedule";
import { DnsError } from "@findersfee/domain/webhooks/endpoints/dns-resolver";
import { BlockedAddressError } from "@findersfee/domain/webhooks/endpoints/public-addresses";
import { ProxyError } from "./proxy.ts";

/** The outcome of an attempt. */
export interface AttemptOutcome {
  delivered: boolean;
  /** The status of the response; null without a response. */
  status: number | null;
  error_code: AttemptErrorCode | null;
  error_message: string | null;
  /** The first 16 KiB of the response body. */
  response: string;
  /** From `Retry-After`, at most 2 hours. */
  retry_after_seconds: number | null;
  /** Whether the status was 410. */
  gone: boolean;
  duration_milliseconds: number;
}

/** The effect of an attempt on its endpoint's health. `unsent`: none, because it failed at the operator's proxy. */
export type Verdict = "succeeded" | "failed" | "unsent";

export function verdictOf({ delivered, error_code }: AttemptOutcome): Verdict {
  if (delivered) return "succeeded";
  return error_code === "proxy" ? "unsent" : "failed";
}

const TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT", "ERR_SOCKET_CONNECTION_TIMEOUT"]);
const REFUSED_CODES = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"]);
const RESET_CODES = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED", "UND_ERR_DESTROYED"]);
/** undici's message for an unrequested 101; it closes the connection with UND_ERR_SOCKET. */
const BAD_UPGRADE = "bad upgrade";
/** OpenSSL's verification errors have no common prefix. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|ERROR_IN_CERT)/;

/** Maps an error of an attempt to its error code. */
export function errorCodeOf(error: Error): AttemptErrorCode {
  if (error instanceof BlockedAddressError) return "blocked_address";
  if (error instanceof DnsError) return "dns";
  if (error instanceof ProxyError) return error.error_code;
  // The name has several addresses, and none accepted the connection.
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return first instanceof Error ? errorCodeOf(first) : "refused";
  }
  return networkErrorCode(error);
}

/** Maps an error of Node or undici. */
function networkErrorCode(error: Error): AttemptErrorCode {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  if (REFUSED_CODES.has(code)) return "refused";
  if (TLS_CODE.test(code)) return "tls";
  // A connection that ends during the TLS handshake counts as a TLS error.
  if (hasCode(error, "ECONNRESET") && error.message.includes("TLS")) return "tls";
  if (RESET_CODES.has(code)) return error.message === BAD_UPGRADE ? "bad_response" : "reset";
  // The connection failed locally, for example without a free file descriptor.
  if ("syscall" in error && error.syscall === "connect") return "refused";
  return "bad_response";
}

const RETRY_AFTER_STATUSES = new Set([429, 502, 503, 504]);
/** The three forms of HTTP dates, all in GMT and with a day name first (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Parses `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date, if the status is one that uses it. */
export function retryAfterSeconds(
  status: number,
  header: string | string[] | undefined,
  now: number,
): number | null {
  if (!RETRY_AFTER_STATUSES.has(status) || typeof header !== "string") return null;
  const text = header.trim();
  const seconds = /^-?\d+$/.test(text) ? Number(text) : (dateOf(text) - now) / 1000;
  if (Number.isNaN(seconds)) return null;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

function dateOf(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
}
