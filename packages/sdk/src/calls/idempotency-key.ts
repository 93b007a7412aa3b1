import { type Failure, FindersfeeError, invalidArgument } from "../errors/errors.ts";

const BYTES = 16;

/** The caller's key, or a new one. Throws `invalid_request` for a key that no header can carry. */
export function readIdempotencyKey(given: string | undefined): string {
  if (given === undefined) return newKey();
  if (typeof given === "string" && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(given)) return given;
  throw new FindersfeeError(
    invalidArgument(
      "idempotencyKey",
      "Must be 1 to 255 printable ASCII characters without leading or trailing spaces.",
    ),
  );
}

/** `crypto.randomUUID` is unavailable on pages loaded without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** After any other failure the service has changed nothing. */
const UNCERTAIN: readonly Failure["code"][] = [
  "network_error",
  "timeout",
  "aborted",
  "unavailable",
  "internal_error",
  "invalid_response",
  "proxy_refused",
];

/** Whether the service may have made the change although the attempt failed. */
export function isUncertain({ code }: Failure): boolean {
  return UNCERTAIN.includes(code);
}

/** The failure with the key that the caller needs to find out whether the change was made. */
export function nameKey(failure: Failure, idempotency_key: string | null): Failure {
  if (idempotency_key === null) return failure;
  return {
    ...failure,
    message: `${failure.message} It is unknown whether the resource was created. To find out, call again with idempotencyKey set to this error's details.idempotency_key.`,
    details: { ...failure.details, idempotency_key },
  };
}
