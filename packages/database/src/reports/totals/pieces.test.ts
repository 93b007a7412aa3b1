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

/**
 * Whether `total_spans` has a span: a day, the first days or all of a month, the first months or all of a
 * year.
 */
function isStored({ from, until }: Days): boolean {
  const [year, month, day] = from.split("-").map(Number) as [number, number, number];
  if (until === addDays(from, 1)) return true;
  if (day !== 1) return false;
  if ([5, 10, 15, 20, 25].some((days) => until === addDays(from, days))) return true;
  const monthsLater = (months: number) =>
    new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
  return (
    until === monthsLater(1) || (month === 1 && [3, 6, 9, 12].some((months) => until === monthsLater(months)))
  );
}

it("pieces count each day of the period once, by stored spans, of which there are few", () => {
  fc.assert(
    fc.property(period, (days) => {
      const pieces = piecesOf(days);
      expect([...countedDays(pieces)]).toEqual(daysOf(days));
      for (const piece of pieces) expect([piece, isStored(piece)]).toEqual([piece, true]);
      const years = Number(days.until.slice(0, 4)) - Number(days.from.slice(0, 4));
      expect(pieces.length).toBeLessThanOrEqual(12 + Math.max(0, years - 1));
    }),
  );
});

it.each([
  [{ from: "2026-11-01", until: "2026-12-01" }, ["+2026-11-01 2026-12-01"]],
  [{ from: "2025-01-01", until: "2026-01-01" }, ["+2025-01-01 2026-01-01"]],
  [
    { from: "2026-02-15", until: "2026-11-20" },
    [
      "+2026-01-01 2026-10-01",
      "+2026-10-01 2026-11-01",
      "+2026-11-01 2026-11-21",
      "-2026-01-01 2026-02-01",
      "-2026-02-01 2026-02-16",
      "+2026-02-15 2026-02-16",
      "-2026-11-20 2026-11-21",
    ],
  ],
])("%j", (days, pieces) => {
  const texts = piecesOf(days).map(({ from, until, sign }) => `${sign > 0 ? "+" : "-"}${from} ${until}`);
  expect(texts.sort()).toEqual([...pieces].sort());
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
