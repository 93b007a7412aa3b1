import type { AttemptErrorCode } from "@findersfee/contract/webhooks/deliveries";

/** The names of errors in lists. */
export const error_names: Record<AttemptErrorCode, string> = {
  timeout: "Timeout",
  dns: "Host not found",
  tls: "TLS failed",
  proxy: "Proxy failed",
  refused: "Refused",
  reset: "Cut off",
  blocked_address: "Blocked address",
  bad_response: "Not HTTP",
  http_status: "HTTP error",
};

export const ERROR_CODES = Object.keys(error_names) as AttemptErrorCode[];

/** `502`, or `Timeout` if there was no response. */
export function failureName({
  status,
  error_code,
}: {
  status: number | null;
  error_code: AttemptErrorCode | null;
}): string {
  if (status !== null) return String(status);
  return error_code === null ? "" : error_names[error_code];
}
