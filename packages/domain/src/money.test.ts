import { currencyDecimals } from "@findersfee/contract/currencies";
import { MAX_AMOUNT } from "@findersfee/contract/fields";
import { assert, bigInt, constantFrom, double, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithinRate, toMajor, toMinor, toPercent, toRate } from "./money.ts";

const currency = constantFrom("JPY", "KRW", "USD", "EUR", "KWD", "BHD");

/** Minor units of any amount that the API accepts. */
function minorUnits(code: string): bigint {
  return BigInt(Math.floor(MAX_AMOUNT)) * 10n ** BigInt(currencyDecimals(code));
}

const money = currency.chain((code) => {
  const limit = minorUnits(code);
  return tuple(bigInt({ min: -limit, max: limit }), constantFrom(code));
});

describe("toMinor and toMajor", () => {
  it("are each other's inverse", () => {
    assert(
      property(money, ([minor, code]) => {
        expect(toMinor(toMajor(minor, code), code)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  it("keep an amount through JSON", () => {
    assert(
      property(money, ([minor, code]) => {
        const major: number = JSON.parse(JSON.stringify(toMajor(minor, code)));
        expect(toMinor(major, code)).toBe(minor);
      }),
    );
  });

  it("only shift the decimal point", () => {
    assert(
      property(integer({ min: 0, max: 999_999_999 }), integer({ min: 0, max: 99 }), (whole, cents) => {
        const written = Number(`${whole}.${String(cents).padStart(2, "0")}`);
        expect(toMinor(written, "USD")).toBe(BigInt(whole) * 100n + BigInt(cents));
      }),
    );
  });

  it("lose no cent in a sum", () => {
    assert(
      property(bigInt({ min: 1n, max: 10n ** 9n }), bigInt({ min: 1n, max: 10n ** 9n }), (a, b) => {
        const sum = (toMinor(toMajor(a, "USD"), "USD") ?? 0n) + (toMinor(toMajor(b, "USD"), "USD") ?? 0n);
        expect(sum).toBe(a + b);
      }),
    );
  });

  it("never round: an amount is exact or rejected", () => {
    assert(
      property(double({ min: -MAX_AMOUNT, max: MAX_AMOUNT, noNaN: true }), currency, (amount, code) => {
        const minor = toMinor(amount, code);
        // `===` treats -0 as 0.
        if (minor !== null) expect(toMajor(minor, code) === amount).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [1.005, "USD", null],
    [1.005, "KWD", 1005n],
    [100.5, "JPY", null],
    [100, "JPY", 100n],
    [0.1 + 0.2, "USD", null],
    [19.99, "USD", 1999n],
    [4.35, "USD", 435n],
    [-0.01, "USD", -1n],
    [-0, "USD", 0n],
    [1e-7, "KWD", null],
    [1e21, "USD", null],
    [Number.NaN, "USD", null],
    [Number.POSITIVE_INFINITY, "USD", null],
    [MAX_AMOUNT, "USD", 99_999_999_999_999n],
  ])("makes %d %s into %s", (amount, code, minor) => {
    expect(toMinor(amount, code)).toBe(minor);
  });
});

describe("toRate and toPercent", () => {
  it("are each other's inverse for all valid rates", () => {
    assert(
      property(bigInt({ min: 1n, max: 1_000_000n }), (rate) => {
        expect(isWithinRate(rate)).toBe(true);
        expect(toRate(toPercent(rate))).toBe(rate);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [0.0001, 1n, true],
    [33.3333, 333_333n, true],
    [100, 1_000_000n, true],
    [100.0001, 1_000_001n, false],
    [0, 0n, false],
    [-1, -10_000n, false],
  ])("makes %d percent into %s, within the bounds: %s", (percent, rate, within) => {
    expect(toRate(percent)).toBe(rate);
    expect(isWithinRate(rate)).toBe(within);
  });

  it("reject a fifth decimal", () => {
    expect(toRate(33.33333)).toBeNull();
    expect(toRate(0.00001)).toBeNull();
  });
});
