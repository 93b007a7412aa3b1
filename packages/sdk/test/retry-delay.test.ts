import { describe, expect, it } from "vitest";
import { readRetryAfter, retryDelay } from "../src/calls/retry-delay.ts";

describe("retryDelay", () => {
  it.each([
    [0, 250],
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [10, 8_000],
  ])("after attempt %i is at most %i ms, and at least half of it", (attempt, longest) => {
    expect(retryDelay(attempt, null, 0)).toBe(longest);
    expect(retryDelay(attempt, null, 1)).toBe(longest / 2);
  });

  it("is never shorter than Retry-After", () => {
    expect(retryDelay(0, 2_000, 0)).toBe(2_000);
    expect(retryDelay(5, 0, 1)).toBe(250);
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("2026-11-20T09:30:00Z");
  it.each([
    ["2", 2_000],
    [" 0 ", 0],
    ["Fri, 20 Nov 2026 09:30:07 GMT", 7_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ])("%j", (header, milliseconds) => {
    expect(readRetryAfter(header, now)).toBe(milliseconds);
  });
});
