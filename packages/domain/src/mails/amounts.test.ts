import { expect, it } from "vitest";
import { showAmount, showDay, showPeriod, showTime } from "./amounts.ts";

it.each([
  [1999n, "USD", "$19.99"],
  [123_456_789n, "EUR", "€1,234,567.89"],
  [500n, "JPY", "¥500"],
  [1234n, "KWD", "KWD 1.234"],
  // ISO 4217 has three decimals; people write none.
  [1500n, "IQD", "IQD 1.500"],
  [99_999_999_999_999n, "USD", "$999,999,999,999.99"],
])("shows %s of %s as %s", (amount, currency, shown) => {
  expect(showAmount(amount, currency).replaceAll("\u00a0", " ")).toBe(shown);
});

it.each([
  [123_456_789n, "EUR", "1.234.567,89 €"],
  [1999n, "USD", "19,99 $"],
  [500n, "JPY", "500 ¥"],
  [1234n, "KWD", "1,234 KWD"],
])("shows %s of %s in German as %s", (amount, currency, shown) => {
  expect(showAmount(amount, currency, "de").replaceAll("\u00a0", " ")).toBe(shown);
});

it("shows days in a time zone, and periods", () => {
  const late = new Date("2026-11-30T23:59:59Z");
  const day = (language: "en" | "de", time_zone: string) => showDay(late, { language, time_zone });
  expect([day("en", "UTC"), showPeriod("2026-01")]).toEqual(["November 30, 2026", "January 2026"]);
  expect([day("de", "Europe/Berlin"), showPeriod("2026-03", "de")]).toEqual([
    "1. Dezember 2026",
    "März 2026",
  ]);
});

it("shows times with the name of their zone", () => {
  const at = new Date("2026-07-01T22:05:00Z");
  const time = (language: "en" | "de", time_zone: string) =>
    showTime(at, { language, time_zone }).replaceAll(/\s/g, " ");
  expect(time("en", "Europe/Berlin")).toBe("July 2, 2026 at 12:05 AM Central European Summer Time");
  expect(time("de", "Europe/Berlin")).toBe("2. Juli 2026 um 00:05 Mitteleuropäische Sommerzeit");
  expect(time("en", "America/New_York")).toBe("July 1, 2026 at 6:05 PM Eastern Daylight Time");
  expect(time("en", "UTC")).toBe("July 1, 2026 at 10:05 PM Coordinated Universal Time");
});
