import { expect, it } from "vitest";
import { toTimestamp } from "./timestamps.ts";

const DAY = 24 * 60 * 60 * 1000;

it("writes the same as toISOString", () => {
  const times = [
    0,
    -1,
    1,
    DAY,
    DAY - 1,
    1_763_628_600_000,
    8.64e15,
    -8.64e15,
    -62_198_755_200_000,
    253_402_300_800_000,
  ];
  // More days than are kept.
  for (let number = 0; number < 3_000; number++) times.push(number * 1.7 * DAY + number * 7_919);
  for (const time of times) {
    const date = new Date(Math.floor(time));
    expect(toTimestamp(date)).toBe(date.toISOString());
    expect(toTimestamp(date)).toBe(date.toISOString());
  }
});

it("rejects an invalid date, as toISOString does", () => {
  expect(() => toTimestamp(new Date(Number.NaN))).toThrow(RangeError);
});
