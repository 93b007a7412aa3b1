import { hasCode } from "@findersfee/database/error-code";
import { LONGEST_RETRY_AFTER_SECONDS } from "@findersfee/domain/webhooks/retry-schedule";
import { BlockedAddressError } from "./guard.ts";

/** Why an attempt failed (webhooks, what counts as what). */
export type AttemptErrorCode =
  | "timeout"
  | "dns"
  | "tls"
  | "refused"
  | "reset"
  | "blocked_address"
  | "bad_response"
  | "http_status";

/** What an attempt came to. */
export interface AttemptOutcome {
  delivered: boolean;
  /** Of the answer; null when there was none. */
  status: number | null;
  error_code: AttemptErrorCode | null;
  error_message: string | null;
  /** The first 16 KiB of the answer's body. */
  response: string;
  /** From `Retry-After`, where it counts: at most 2 hours. */
  retry_after_seconds: number | null;
  /** The answer was 410. */
  gone: boolean;
  duration_milliseconds: number;
}

const DNS_CODES = new Set([
  "ENOTFOUND",
  "ENODATA",
  "ESERVFAIL",
  "EREFUSED",
  "EAI_AGAIN",
  "ETIMEOUT",
  "EBADRESP",
  "EBADNAME",
  "EFORMERR",
  "ENOTIMP",
  "ECANCELLED",
]);
const TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]);
const REFUSED_CODES = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"]);
const RESET_CODES = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED", "UND_ERR_DESTROYED"]);
/** OpenSSL's verification errors have names of their own, without a common prefix. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|ERROR_IN_CERT)/;

/** The code under which the log keeps an error of the network. */
export function errorCodeOf(error: Error): AttemptErrorCode {
  if (error instanceof BlockedAddressError) return "blocked_address";
  // A name with several addresses, none of which took the connection.
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return first instanceof Error ? errorCodeOf(first) : "refused";
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  if (DNS_CODES.has(code)) return "dns";
  if (REFUSED_CODES.has(code)) return "refused";
  if (TLS_CODE.test(code)) return "tls";
  // A connection that ends before TLS stands is TLS that failed, as far as anyone can tell.
  if (hasCode(error, "ECONNRESET") && error.message.includes("TLS")) return "tls";
  if (RESET_CODES.has(code)) return "reset";
  return "bad_response";
}

const RETRY_AFTER_STATUSES = new Set([429, 502, 503, 504]);

/** Reads `Retry-After` (RFC 9110, 10.2.3), seconds or a date, where the status makes it count. */
export function retryAfterSeconds(
  status: number,
  header: string | string[] | undefined,
  now: number,
): number | null {
  if (!RETRY_AFTER_STATUSES.has(status) || typeof header !== "string") return null;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  if (Number.isNaN(seconds)) return null;
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}
