import { addDays, type Days } from "@findersfee/contract/reports/periods";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketsOf, type Piece, piecesOf } from "./pieces.ts";

const day = fc.integer({ min: 0, max: 1_500 }).map((days) => addDays("2023-12-20", days));
const period = fc
  .tuple(day, day)
  .filter(([from, until]) => from < until)
  .map(([from, until]): Days => ({ from, until }));

/** How often each day is counted, for the days that are. */
function countedDays(pieces: readonly Piece[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { from, until, sign } of pieces) {
    for (let at = from; at < until; at = addDays(at, 1)) counted.set(at, (counted.get(at) ?? 0) + sign);
  }
  return new Map([...counted].filter(([, times]) => times !== 0).sort());
}

function daysOf({ from, until }: Days): [string, number][] {
  const days: [string, number][] = [];
  for (let at = from; at < until; at = addDays(at, 1)) days.push([at, 1]);
  return days;
}

function sizeOf(pieces: readonly Piece[], unit: Piece["unit"]): number {
  const days = { day: 1, month: 30.4, year: 365.25 };
  return pieces
    .filter((piece) => piece.unit === unit)
    .reduce(
      (sum, { from, until }) =>
        sum + Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000 / days[unit]),
      0,
    );
}

it("pieces count each day of the period once, by whole units, of which there are few", () => {
  fc.assert(
    fc.property(period, (days) => {
      const pieces = piecesOf(days);
      expect([...countedDays(pieces)]).toEqual(daysOf(days));
      for (const { unit, from, until } of pieces) {
        if (unit !== "day") expect([from.slice(-2), until.slice(-2)]).toEqual(["01", "01"]);
        if (unit === "year") expect([from.slice(5, 7), until.slice(5, 7)]).toEqual(["01", "01"]);
      }
      expect(sizeOf(pieces, "day")).toBeLessThanOrEqual(32);
      expect(sizeOf(pieces, "month")).toBeLessThanOrEqual(12);
    }),
  );
});

it.each([
  [
    { from: "2026-11-01", until: "2026-12-01" },
    [{ unit: "month", from: "2026-11-01", until: "2026-12-01", sign: 1 }],
  ],
  [
    { from: "2025-01-01", until: "2026-01-01" },
    [{ unit: "year", from: "2025-01-01", until: "2026-01-01", sign: 1 }],
  ],
  [
    { from: "2026-01-01", until: "2026-11-29" },
    [
      { unit: "year", from: "2026-01-01", until: "2027-01-01", sign: 1 },
      { unit: "month", from: "2026-12-01", until: "2027-01-01", sign: -1 },
      { unit: "day", from: "2026-11-29", until: "2026-12-01", sign: -1 },
    ],
  ],
])("%j", (days, pieces) => {
  expect(piecesOf(days)).toEqual(pieces);
});

it("buckets of each unit count each day once, with their first day", () => {
  fc.assert(
    fc.property(period, fc.constantFrom("day" as const, "week" as const, "month" as const), (days, unit) => {
      const buckets = bucketsOf(days, unit);
      expect([...countedDays(buckets)]).toEqual(daysOf(days));
      const firsts = [...new Set(buckets.map((bucket) => bucket.day))];
      expect(firsts[0]).toBe(days.from);
      for (const first of firsts.slice(1)) {
        if (unit === "month") expect(first.slice(-2)).toBe("01");
        if (unit === "week") expect(new Date(first).getUTCDay()).toBe(1);
      }
    }),
  );
});
