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

/**
 * Waits as `eventually`, and returns how many milliseconds later the last check that threw began. A slow machine does not lengthen
 * that: a check that began after the change took effect does not throw.
 */
export async function lastedFor(check: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let thrown_at = start;
  await eventually(async () => {
    const began_at = performance.now();
    await check().catch((error: unknown) => {
      thrown_at = began_at;
      throw error;
    });
  });
  return thrown_at - start;
}

/**
 * Waits until `probe` answers something else than null, and returns that. An error of the probe ends the wait, unlike one of
 * `eventually`.
 */
export async function waitForResult<Result>(
  milliseconds: number,
  probe: () => Promise<Result | null>,
): Promise<Result> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const result = await probe();
    if (result !== null) return result;
    if (performance.now() > deadline) throw new Error(`it did not happen within ${milliseconds} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
