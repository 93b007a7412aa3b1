import { describe, expect, it } from "vitest";
import { dateLocale } from "./clock.ts";
import {
  describeTime,
  formatDateTime,
  formatDay,
  formatFullDay,
  formatMonth,
  formatRelative,
} from "./dates.ts";

const BERLIN = { time_zone: "Europe/Berlin", locale: "en-GB" };
const UTC = { time_zone: "UTC", locale: "en-US" };
const now = new Date("2026-11-22T12:00:00.000Z");

describe("dates", () => {
  it("shows a moment in the reader's zone", () => {
    const at = new Date("2026-11-21T23:30:00.000Z");
    expect(formatDateTime(at, BERLIN, now)).toBe("22 Nov, 00:30");
    expect(formatDateTime(at, UTC, now)).toBe("Nov 21, 11:30 PM");
  });

  it.each([
    ["en-US", "Nov 21, 8:06 PM", "Nov 21, 2026"],
    ["en-GB", "21 Nov, 20:06", "21 Nov 2026"],
    ["en-DE", "21 Nov, 20:06", "21 Nov 2026"],
    ["de-DE", "21. Nov., 20:06", "21. Nov. 2026"],
    ["de-US", "21. Nov., 20:06", "21. Nov. 2026"],
  ])("are written for %s", (locale, moment, day) => {
    const at = new Date("2026-11-21T20:06:00.000Z");
    expect(formatDateTime(at, { ...UTC, locale }, now)).toBe(moment);
    expect(formatFullDay(at, { ...UTC, locale })).toBe(day);
  });

  it("names another year", () => {
    const at = new Date("2025-12-31T23:30:00.000Z");
    expect(formatDay(at, UTC, now)).toBe("Dec 31, 2025");
    expect(formatDay(at, BERLIN, now)).toBe("1 Jan");
    expect(formatMonth(at, UTC)).toBe("December 2025");
  });

  it.each([
    ["2026-11-22T11:59:30.000Z", "just now"],
    ["2026-11-22T11:18:00.000Z", "42 min ago"],
    ["2026-11-22T12:22:00.000Z", "in 22 min"],
    ["2026-11-22T11:00:00.000Z", "Nov 22, 11:00 AM"],
  ])("says %s as %s", (at, text) => {
    expect(formatRelative(new Date(at), UTC, now)).toBe(text);
  });

  it("describes a moment by its zone, UTC and ISO 8601", () => {
    expect(describeTime(new Date("2026-06-21T09:30:05.000Z"), BERLIN)).toBe(
      "21 Jun 2026, 11:30:05 CEST\n21 Jun 2026, 09:30:05 UTC\n2026-06-21T09:30:05.000Z",
    );
  });
});

describe("the locale of dates", () => {
  it.each([
    ["en-US", "en-US"],
    ["en", "en-US"],
    ["en-AU", "en-AU"],
    ["de", "en-DE"],
    ["zh-Hant", "en-TW"],
  ])("has the region of a browser in %s", (tag, locale) => {
    const { navigator } = globalThis;
    Object.defineProperty(globalThis, "navigator", { value: { languages: [tag] }, configurable: true });
    try {
      expect(dateLocale("en")).toBe(locale);
      expect(dateLocale("en", "day_first")).toBe("en-GB");
      expect(dateLocale("en", "month_first")).toBe("en-US");
    } finally {
      Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
    }
  });
});
