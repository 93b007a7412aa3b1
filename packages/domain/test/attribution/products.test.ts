import { array, assert, bigInt, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { apportion } from "../../src/attribution/facts/products.ts";

const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);

describe("apportion", () => {
  it.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [1n, [1n, 1n], [1n, 0n]],
    [0n, [5n, -2n], [0n, 0n]],
    [1500n, [3000n, -1500n], [3000n, -1500n]],
    [750n, [3000n, -1500n], [1500n, -750n]],
    [10n, [1n, 2n, 4n], [1n, 3n, 6n]],
    [-100n, [1n, 1n, 1n], [-33n, -33n, -34n]],
  ])("divides %s by %s into %s", (amount, weights, parts) => {
    expect(apportion(amount, weights)).toEqual(parts);
  });

  it("adds up, with each part less than a unit off its share", () => {
    const weight = bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    assert(
      property(
        bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
        array(weight, { minLength: 1, maxLength: 12 }),
        (amount, weights) => {
          const whole = sum(weights);
          if (whole <= 0n) return;
          const parts = apportion(amount, weights);
          expect(sum(parts)).toBe(amount);
          parts.forEach((part, index) => {
            const off = part * whole - amount * (weights[index] ?? 0n);
            expect(off < whole && off > -whole).toBe(true);
          });
        },
      ),
    );
  });
});
