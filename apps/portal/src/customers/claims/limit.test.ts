import { expect, it } from "vitest";
import { possibleFrom } from "./limit.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-25T12:00:00.000Z");

/** One claim an hour, the newest first. */
const claims = (count: number, first_hours_ago: number) =>
  Array.from({ length: count }, (_, number) => ({
    created_at: new Date(NOW - (first_hours_ago + number) * HOUR).toISOString(),
  }));

it("allows ten claims in 24 hours", () => {
  expect(possibleFrom([], NOW)).toBeNull();
  expect(possibleFrom(claims(9, 0), NOW)).toBeNull();
  expect(possibleFrom(claims(10, 0), NOW)?.toISOString()).toBe("2026-11-26T03:00:00.000Z");
  expect(possibleFrom(claims(25, 0), NOW)?.toISOString()).toBe("2026-11-26T03:00:00.000Z");
  expect(possibleFrom(claims(10, 15), NOW)).toBeNull();
});
