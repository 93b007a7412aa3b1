import { currencyDecimals } from "@findersfee/contract/currencies";
import { assert, bigInt, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, type ExchangeRates } from "./convert.ts";
import { type ExchangeRate, RATE_SCALE, rateText, scaledRate } from "./rate.ts";

const DAY = "2026-11-26";

function ratesOf(rates: Record<string, string>): ExchangeRates {
  return new Map(
    Object.entries(rates).map(([currency, rate]): [string, ExchangeRate] => [
      currency,
      { currency, rate, source: "ecb", day: DAY },
    ]),
  );
}

const RATES = ratesOf({ USD: "1.0812", GBP: "0.8333", JPY: "163.4", KWD: "0.3321", IDR: "17642.1" });

describe("an amount", () => {
  it.each([
    [5000n, "EUR", "USD", 5406n],
    [5000n, "USD", "EUR", 4624n], // 46.2449…
    [5000n, "USD", "GBP", 3854n], // 38.5358…
    [5000n, "USD", "JPY", 7556n], // 7,556.418…
    [7556n, "JPY", "USD", 5000n],
    [5000n, "USD", "KWD", 15358n], // 15.3580…
    [1n, "KWD", "JPY", 0n], // 0.492…
    [-5000n, "EUR", "USD", -5406n],
    [0n, "USD", "GBP", 0n],
  ])("of %s %s in %s is %s", (amount, from, to, expected) => {
    expect(convert(amount, { from, to, rates: RATES })?.amount_minor).toBe(expected);
  });

  it("with half a minor unit is rounded away from zero", () => {
    const rates = ratesOf({ USD: "1.5" });
    expect(convert(1n, { from: "EUR", to: "USD", rates })?.amount_minor).toBe(2n);
    expect(convert(-1n, { from: "EUR", to: "USD", rates })?.amount_minor).toBe(-2n);
    expect(convert(3n, { from: "EUR", to: "USD", rates })?.amount_minor).toBe(5n);
  });

  it("has the rate and its sources with it", () => {
    const conversion = convert(5000n, { from: "USD", to: "GBP", rates: RATES });
    expect(conversion).toEqual({
      amount_minor: 3854n,
      rate: "0.7707177211",
      rates: [RATES.get("USD"), RATES.get("GBP")],
    });
    expect(convert(5000n, { from: "EUR", to: "USD", rates: RATES })).toMatchObject({
      rate: "1.0812",
      rates: [RATES.get("USD")],
    });
  });

  it("is missing if one of the rates is", () => {
    expect(convert(1n, { from: "USD", to: "AED", rates: RATES })).toBeNull();
    expect(convert(1n, { from: "AED", to: "EUR", rates: RATES })).toBeNull();
  });
});

const currency = constantFrom("EUR", "USD", "GBP", "JPY", "KWD", "IDR");
const amount = bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
const scaled = bigInt({ min: 1n, max: 10n ** 20n - 1n });

/** The rates of two currencies, any that the store accepts. */
const world = record({ from: currency, to: currency, of_from: scaled, of_to: scaled }).map(
  ({ from, to, of_from, of_to }) => {
    const rates = ratesOf({ [from]: rateText(of_from), [to]: rateText(of_to) });
    return { from, to, rates };
  },
);

/** The exact quotient of an amount, as a fraction. */
function exact(minor: bigint, { from, to, rates }: { from: string; to: string; rates: ExchangeRates }) {
  const of = (code: string) =>
    code === "EUR" ? RATE_SCALE : (scaledRate(rates.get(code)?.rate ?? "") ?? 0n);
  return {
    dividend: minor * of(to) * 10n ** BigInt(currencyDecimals(to)),
    divisor: of(from) * 10n ** BigInt(currencyDecimals(from)),
  };
}

const abs = (value: bigint) => (value < 0n ? -value : value);

describe("any amount at any rate", () => {
  it("stays the same in its own currency, without a rate", () => {
    assert(
      property(amount, currency, (minor, code) => {
        const conversion = convert(minor, { from: code, to: code, rates: new Map() });
        expect(conversion).toEqual({ amount_minor: minor, rate: "1", rates: [] });
      }),
    );
  });

  it("is off by at most half a minor unit", () => {
    assert(
      property(amount, world, (minor, of) => {
        const converted = convert(minor, of)?.amount_minor ?? 0n;
        if (of.from === of.to) return;
        const { dividend, divisor } = exact(minor, of);
        expect(2n * abs(converted * divisor - dividend) <= divisor).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("grows with the amount, and has its sign", () => {
    assert(
      property(amount, amount, world, (one, other, of) => {
        const [small, large] = one < other ? [one, other] : [other, one];
        const [less, more] = [convert(small, of)?.amount_minor ?? 0n, convert(large, of)?.amount_minor ?? 0n];
        expect(less <= more).toBe(true);
        expect(convert(-one, of)?.amount_minor).toBe(-(convert(one, of)?.amount_minor ?? 0n));
      }),
    );
  });
});

describe("a rate", () => {
  it("is an integer of 10^-10, and its text", () => {
    assert(
      property(scaled, (value) => {
        expect(scaledRate(rateText(value))).toBe(value);
      }),
    );
    expect(scaledRate("0.1")).toBe(10n ** 9n);
    // As floats, their sum is 0.30000000000000004.
    expect((scaledRate("0.1") ?? 0n) + (scaledRate("0.2") ?? 0n)).toBe(scaledRate("0.3"));
  });
});
