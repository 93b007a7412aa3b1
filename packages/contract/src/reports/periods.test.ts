import { describe, expect, it } from "vitest";
import { daysBefore, periodOf, periodPresets } from "./periods.ts";

describe("the period of a preset", () => {
  it.each([
    ["this_month", "2026-11-28", "2026-11-01", "2026-11-29", "2026-10-01", "2026-10-29"],
    // February has fewer days than March.
    ["this_month", "2026-03-31", "2026-03-01", "2026-04-01", "2026-02-01", "2026-03-01"],
    ["this_month", "2026-01-01", "2026-01-01", "2026-01-02", "2025-12-01", "2025-12-02"],
    ["last_month", "2026-01-15", "2025-12-01", "2026-01-01", "2025-11-01", "2025-12-01"],
    ["this_quarter", "2026-11-28", "2026-10-01", "2026-11-29", "2026-07-01", "2026-08-29"],
    ["last_quarter", "2026-02-01", "2025-10-01", "2026-01-01", "2025-07-01", "2025-10-01"],
    ["this_year", "2026-11-28", "2026-01-01", "2026-11-29", "2025-01-01", "2025-11-29"],
    // A leap year has a day more.
    ["this_year", "2024-12-31", "2024-01-01", "2025-01-01", "2023-01-01", "2024-01-01"],
    ["last_year", "2026-11-28", "2025-01-01", "2026-01-01", "2024-01-01", "2025-01-01"],
  ] as const)("%s on %s", (preset, today, from, until, previous_from, previous_until) => {
    const previous = { from: previous_from, until: previous_until };
    expect(periodOf(preset, today)).toEqual({ from, until, previous });
  });

  it("has no days before all time", () => {
    expect(periodOf("all_time", "2026-12-31")).toEqual({ from: null, until: "2027-01-01", previous: null });
  });

  it("never overlaps the period before", () => {
    for (const preset of periodPresets) {
      for (let at = Date.parse("2023-12-25"); at < Date.parse("2025-03-05"); at += 86_400_000) {
        const { from, until, previous } = periodOf(preset, new Date(at).toISOString().slice(0, 10));
        if (from === null || previous === null) continue;
        expect(previous.from < previous.until && previous.until <= from && from < until).toBe(true);
      }
    }
  });
});

it("as many days before", () => {
  expect(daysBefore({ from: "2026-03-01", until: "2026-03-31" })).toEqual({
    from: "2026-01-30",
    until: "2026-03-01",
  });
});
