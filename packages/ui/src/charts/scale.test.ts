import fc from "fast-check";
import { expect, it } from "vitest";
import { areFew, labelIndexes, pointAt, pointPlace, ticksTo } from "./scale.ts";

it.each([
  [0, [0, 1]],
  [7, [0, 2, 4, 6, 8]],
  [2580, [0, 1000, 2000, 3000]],
  [0.3, [0, 0.1, 0.2, 0.3]],
])("divides an axis to %d at round values", (highest, ticks) => {
  expect(ticksTo(highest)).toEqual(ticks);
});

it("covers every value with 2 to 6 ticks", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e12, noNaN: true }), (highest) => {
      const ticks = ticksTo(highest);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }),
  );
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [2, [0, 1, 2]],
  [5, [0, 2, 4, 6]],
  [1372, [0, 500, 1000, 1500]],
])("divides an axis of counts to %d at whole values", (highest, ticks) => {
  expect(ticksTo(highest, { whole: true })).toEqual(ticks);
});

it("shows a few points, or few with a value, as bars", () => {
  const days = (count: number, with_value: number) =>
    Array.from({ length: count }, (_, index) => (index < with_value ? 5 : 0));
  expect(areFew(days(1, 1))).toBe(true);
  expect(areFew(days(7, 7))).toBe(true);
  expect(areFew(days(30, 1))).toBe(true);
  expect(areFew(days(30, 6))).toBe(true);
  expect(areFew(days(30, 7))).toBe(false);
  expect(areFew(days(30, 0))).toBe(false);
  expect(areFew(days(90, 15))).toBe(true);
  expect(areFew(days(12, 12))).toBe(false);
});

it.each([true, false])("finds each point at its own place; as bars: %s", (as_bars) => {
  for (const count of [1, 2, 7, 30]) {
    for (let index = 0; index < count; index += 1) {
      expect(pointAt(pointPlace(index, count, as_bars), count, as_bars)).toBe(index);
    }
  }
  expect(pointAt(1, 7, as_bars)).toBe(6);
  expect(pointAt(-0.1, 7, as_bars)).toBe(0);
});

it("labels points at even distances, so that no two labels touch", () => {
  expect(labelIndexes(5, 400, 40)).toEqual([0, 1, 2, 3, 4]);
  expect(labelIndexes(53, 1000, 40)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52]);
  expect(labelIndexes(1, 400, 40)).toEqual([0]);
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 400 }),
      fc.integer({ min: 200, max: 1200 }),
      fc.integer({ min: 10, max: 90 }),
      (count, axis_width, label_width) => {
        const [first, second = count] = labelIndexes(count, axis_width, label_width);
        expect(first).toBe(0);
        const distance = (axis_width / (count - 1)) * second;
        expect(second === count || distance > 1.5 * label_width).toBe(true);
      },
    ),
  );
});
