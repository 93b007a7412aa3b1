import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextState } from "./next-state.ts";
import { retryDelaySeconds } from "./retry-schedule.ts";

const FAILED = { delivered: false, gone: false, retry_after_seconds: null };
const now = new Date("2026-11-20T12:00:00.000Z");

describe("retryDelaySeconds", () => {
  it("follows the schedule, then returns null", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((failures) => retryDelaySeconds(failures, 0.5));
    expect(delays).toEqual([5, 300, 1800, 7200, 18000, 36000, 36000, null, null]);
  });

  it("varies by at most a fifth", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, random) => {
          const plain = retryDelaySeconds(failures, 0.5) ?? 0;
          const delay = retryDelaySeconds(failures, random) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(plain * 0.8 - 1e-6);
          expect(delay).toBeLessThanOrEqual(plain * 1.2 + 1e-6);
        },
      ),
    );
  });
});

describe("nextState", () => {
  it("ends with a success, regardless of earlier failures", () => {
    expect(nextState(5, { ...FAILED, delivered: true }, { now, random: 0.1 })).toEqual({
      state: "delivered",
      failures: 0,
      next_attempt_at: null,
    });
  });

  it("makes eight attempts", () => {
    let failures = 0;
    for (let attempts = 1; attempts < 8; attempts++) {
      const next = nextState(failures, FAILED, { now, random: 0.5 });
      expect(next.state).toBe("scheduled");
      expect(next.next_attempt_at?.getTime()).toBeGreaterThan(now.getTime());
      failures = next.failures;
    }
    expect(nextState(failures, FAILED, { now, random: 0.5 })).toEqual({
      state: "exhausted",
      failures: 8,
      next_attempt_at: null,
    });
  });

  it("gives up at once when the receiver is gone", () => {
    expect(nextState(0, { ...FAILED, gone: true }, { now, random: 0.5 }).state).toBe("exhausted");
  });

  it("waits as long as the receiver asks, but never shorter than the schedule", () => {
    const at = (retry_after_seconds: number) =>
      nextState(0, { ...FAILED, retry_after_seconds }, { now, random: 0.5 }).next_attempt_at;
    expect(at(60)).toEqual(new Date("2026-11-20T12:01:00.000Z"));
    expect(at(1)).toEqual(new Date("2026-11-20T12:00:05.000Z"));
  });
});
