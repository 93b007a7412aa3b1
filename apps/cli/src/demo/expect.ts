import { isDeepStrictEqual } from "node:util";

/** @throws Error when the values differ */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(
    `${what} should be ${JSON.stringify(expected)} but is ${JSON.stringify(actual)}. Please report this.`,
  );
}

/** Returns a value that must exist. */
export function required<Value>(what: string, value: Value | null | undefined): Value {
  if (value !== null && value !== undefined) return value;
  throw new Error(`Missing: ${what}. Please report this.`);
}
