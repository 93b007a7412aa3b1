import { FindersfeeError, invalidArgument } from "./errors.ts";

const BYTES = 16;

/** The caller's key, or a new one. Throws `invalid_request` for one that no header can carry. */
export function readIdempotencyKey(given: string | undefined): string {
  if (given === undefined) return newKey();
  if (typeof given === "string" && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(given)) return given;
  throw new FindersfeeError(
    invalidArgument("idempotencyKey", "Must be 1 to 255 printable ASCII characters without spaces around."),
  );
}

/** `crypto.randomUUID` is missing from pages that came without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Failures after which nobody knows whether it was created. */
const UNCERTAIN: readonly FindersfeeError["code"][] = ["network_error", "timeout", "aborted", "unavailable"];

/** The outcome of a call with a key, which its failures name where it takes the key to find out what happened. */
export async function withIdempotencyKey<Output>(key: string, outcome: Promise<Output>): Promise<Output> {
  try {
    return await outcome;
  } catch (error) {
    if (!(error instanceof FindersfeeError) || !UNCERTAIN.includes(error.code)) throw error;
    throw new FindersfeeError({
      ...error,
      message: `${error.message} Whether it was created is not known: call again with idempotencyKey set to this error's details.idempotency_key.`,
      details: { ...error.details, idempotency_key: key },
      cause: error.cause,
    });
  }
}
