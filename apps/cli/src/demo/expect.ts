import { isDeepStrictEqual } from "node:util";

/** @throws Error when something is other than it should be */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(
    `${what} should be ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}. Please report this.`,
  );
}

/** What must be there. */
export function required<Value>(what: string, value: Value | null | undefined): Value {
  if (value !== null && value !== undefined) return value;
  throw new Error(`There should be ${what}, and there is none. Please report this.`);
}
