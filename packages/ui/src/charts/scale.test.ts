import fc from "fast-check";
import { expect, it } from "vitest";
import { ticksTo } from "./scale.ts";

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
