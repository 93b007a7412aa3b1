import { vi } from "vitest";

/** Only a test that fails waits this long, however slow and busy the machine is. */
const PATIENCE_MILLISECONDS = 60_000;

/** Resolves with the result of the check once the check does not throw. */
export function eventually<Result>(
  check: () => Result | Promise<Result>,
  { interval = 20 }: { interval?: number } = {},
): Promise<Result> {
  return vi.waitFor(check, { timeout: PATIENCE_MILLISECONDS, interval });
}
