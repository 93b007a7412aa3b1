import { FindersfeeError, invalidArgument } from "../errors/errors.ts";

/** Headers that the client sets. */
const RESERVED = ["accept", "authorization", "content-type", "idempotency-key"];

/**
 * Validates the caller's additional headers and lowercases their names; null for none. Throws
 * `invalid_request`.
 */
export function readHeaders(given: unknown): Record<string, string> | null {
  if (given === undefined) return null;
  if (typeof given !== "object" || given === null || Symbol.iterator in given || given instanceof Headers) {
    throw wrong("headers", 'Must be an object, as in { "x-trace-id": "4711" }.');
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [readName(name), readValue(name, value)]));
}

function readName(name: string): string {
  const lower = name.toLowerCase();
  if (!RESERVED.includes(lower)) return lower;
  const instead = lower === "idempotency-key" ? " Use the option idempotencyKey." : "";
  throw wrong(`headers.${name}`, `The client sets this header.${instead}`);
}

function readValue(name: string, value: unknown): string {
  if (typeof value !== "string") throw wrong(`headers.${name}`, "Must be a string.");
  try {
    return new Headers([[name, value]]).get(name) ?? "";
  } catch {
    throw wrong(`headers.${name}`, "Must be a valid HTTP header.");
  }
}

function wrong(path: string, message: string): FindersfeeError {
  return new FindersfeeError(invalidArgument(path, message));
}
