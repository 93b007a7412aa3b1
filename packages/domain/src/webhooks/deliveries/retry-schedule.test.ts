import fc from "fast-check";
import { expect, it } from "vitest";
import { nextState } from "./next-state.ts";
import { MAX_RETRY_AFTER_SECONDS, retryDelaySeconds } from "./retry-schedule.ts";

const now = new Date("2026-11-20T12:00:00.000Z");

it("delays an attempt by Retry-After up to its maximum and never advances it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 0, max: MAX_RETRY_AFTER_SECONDS }),
      (failures, random, retry_after_seconds) => {
        const result = { delivered: false, gone: false, retry_after_seconds };
        const { state, next_attempt_at } = nextState(failures, result, { now, random });
        const seconds = ((next_attempt_at?.getTime() ?? Number.NaN) - now.getTime()) / 1000;
        const scheduled = retryDelaySeconds(failures + 1, random) ?? Number.NaN;
        expect(state).toBe("scheduled");
        expect(seconds).toBeCloseTo(Math.max(scheduled, retry_after_seconds), 2);
      },
    ),
  );
});

it("spreads the jitter over its exact range", () => {
  expect(retryDelaySeconds(1, 0)).toBe(4);
  expect(retryDelaySeconds(1, 0.999_999)).toBeCloseTo(6, 4);
});
