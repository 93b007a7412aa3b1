import type { AttemptErrorCode } from "@findersfee/contract/deliveries";
import { hasCode } from "@findersfee/database/error-code";
import { LONGEST_RETRY_AFTER_SECONDS } from "@findersfee/domain/webhooks/retry-schedule";
import { BlockedAddressError } from "./guard.ts";
import { ProxyError } from "./proxy.ts";
import { NameError } from "./resolve-name.ts";

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

/** What an attempt says about its endpoint; `unsent`: nothing, since it failed at the operator's own proxy. */
export type Verdict = "succeeded" | "failed" | "unsent";

export function verdictOf({ delivered, error_code }: AttemptOutcome): Verdict {
  if (delivered) return "succeeded";
  return error_code === "proxy" ? "unsent" : "failed";
}

const TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT", "ERR_SOCKET_CONNECTION_TIMEOUT"]);
const REFUSED_CODES = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"]);
const RESET_CODES = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED", "UND_ERR_DESTROYED"]);
/** undici's message for a 101 that nobody asked for; it closes the connection with UND_ERR_SOCKET. */
const BAD_UPGRADE = "bad upgrade";
/** OpenSSL's verification errors have names of their own, without a common prefix. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|ERROR_IN_CERT)/;

/** The code under which the log keeps an error of the network. */
export function errorCodeOf(error: Error): AttemptErrorCode {
  if (error instanceof BlockedAddressError) return "blocked_address";
  if (error instanceof NameError) return "dns";
  if (error instanceof ProxyError) return error.error_code;
  // A name with several addresses, none of which took the connection.
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return first instanceof Error ? errorCodeOf(first) : "refused";
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (TIMEOUT_CODES.has(code)) return "timeout";
  if (REFUSED_CODES.has(code)) return "refused";
  if (TLS_CODE.test(code)) return "tls";
  // A connection that ends before TLS stands is TLS that failed, as far as anyone can tell.
  if (hasCode(error, "ECONNRESET") && error.message.includes("TLS")) return "tls";
  if (RESET_CODES.has(code)) return error.message === BAD_UPGRADE ? "bad_response" : "reset";
  // Nothing was answered, as when this process has no descriptor left.
  if ("syscall" in error && error.syscall === "connect") return "refused";
  return "bad_response";
}

const RETRY_AFTER_STATUSES = new Set([429, 502, 503, 504]);
/** Any of the three forms of HTTP dates, which all are in GMT and begin with a day's name (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Reads `Retry-After` (RFC 9110, 10.2.3), seconds or a date, where the status makes it count. */
export function retryAfterSeconds(
  status: number,
  header: string | string[] | undefined,
  now: number,
): number | null {
  if (!RETRY_AFTER_STATUSES.has(status) || typeof header !== "string") return null;
  const text = header.trim();
  const seconds = /^-?\d+$/.test(text) ? Number(text) : (dateOf(text) - now) / 1000;
  if (Number.isNaN(seconds)) return null;
  return Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(0, seconds));
}

function dateOf(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
}
