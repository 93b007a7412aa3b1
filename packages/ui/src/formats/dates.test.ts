import { describe, expect, it } from "vitest";
import { describeTime, formatDateTime, formatDay, formatMonth, formatRelative } from "./dates.ts";

const BERLIN = { time_zone: "Europe/Berlin", locale: "en-GB" };
const UTC = { time_zone: "UTC", locale: "en-GB" };
const now = new Date("2026-11-22T12:00:00.000Z");

describe("dates", () => {
  it("shows a moment in the reader's zone", () => {
    const at = new Date("2026-11-21T23:30:00.000Z");
    expect(formatDateTime(at, BERLIN, now)).toBe("22 Nov 00:30");
    expect(formatDateTime(at, UTC, now)).toBe("21 Nov 23:30");
  });

  it("names another year", () => {
    const at = new Date("2025-12-31T23:30:00.000Z");
    expect(formatDay(at, UTC, now)).toBe("31 Dec 2025");
    expect(formatDay(at, BERLIN, now)).toBe("1 Jan");
    expect(formatMonth(at, UTC)).toBe("December 2025");
  });

  it.each([
    ["2026-11-22T11:59:30.000Z", "just now"],
    ["2026-11-22T11:18:00.000Z", "42 min ago"],
    ["2026-11-22T12:22:00.000Z", "in 22 min"],
    ["2026-11-22T11:00:00.000Z", "22 Nov 11:00"],
  ])("says %s as %s", (at, text) => {
    expect(formatRelative(new Date(at), UTC, now)).toBe(text);
  });

  it("describes a moment by its zone, UTC and ISO 8601", () => {
    expect(describeTime(new Date("2026-06-21T09:30:05.000Z"), BERLIN)).toBe(
      "21 Jun 2026 11:30:05 CEST\n21 Jun 2026 09:30:05 UTC\n2026-06-21T09:30:05.000Z",
    );
  });
});
