import { describe, expect, it } from "vitest";
import { formatMoney, formatMoneyShort, parseMoney } from "./money.ts";

describe("formatMoney", () => {
  it.each([
    [1204.5, "USD", "$1,204.50"],
    [-4.9, "EUR", "−€4.90"],
    [1200, "JPY", "¥1,200"],
    // CLDR has no decimals for it in everyday use; ISO 4217 has three.
    [1.5, "IQD", "IQD\u00a01.500"],
  ])("writes %d %s as %s", (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });

  it("shortens amounts for tiles", () => {
    expect([48_210, 950, 1_234_567].map((amount) => formatMoneyShort(amount, "USD"))).toEqual([
      "$48.2K",
      "$950",
      "$1.2M",
    ]);
  });
});

describe("parseMoney", () => {
  it.each([
    ["1,204.50", "USD", 1204.5],
    ["1.204,50", "EUR", 1204.5],
    ["1204,5", "EUR", 1204.5],
    ["$ 12", "USD", 12],
    ["1,204", "USD", 1204],
    ["1'000'000.00", "CHF", 1_000_000],
    ["0.125", "KWD", 0.125],
    ["−4.90", "USD", -4.9],
    ["1200", "JPY", 1200],
    ["7.", "USD", 7],
  ])("reads %s in %s as %d", (text, currency, amount) => {
    expect(parseMoney(text, currency)).toBe(amount);
  });

  it.each([
    ["", "USD"],
    ["12 or 13", "USD"],
    ["1.2345", "USD"],
    ["12.5", "JPY"],
    ["1,204,50", "USD"],
    ["1e5", "USD"],
    ["--1", "USD"],
    [".", "USD"],
  ])("refuses %j in %s", (text, currency) => {
    expect(parseMoney(text, currency)).toBeNull();
  });
});
