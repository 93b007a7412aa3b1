import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { duePeriod, nextRunOn, periodOf } from "./calendar.ts";

const HOUR = 3_600_000;
/** From the start of 2027 to 29 April. */
const HOURS = 2_850;

const periodIn = (time_zone: string, at: string, last_period: string | null = null) =>
  periodOf({ time_zone, last_period }, new Date(at));

/** An organization that has had a payout day for years. */
const calendarOf = (changed: Partial<Parameters<typeof duePeriod>[0]>) => ({
  time_zone: "UTC",
  payout_day: 1,
  payout_day_since: new Date("2020-01-01T00:00:00Z"),
  last_period: null,
  ...changed,
});

describe("the period", () => {
  it.each([
    ["UTC", "2026-11-30T23:59:59.999Z", "2026-11"],
    ["UTC", "2026-12-01T00:00:00Z", "2026-12"],
    ["Pacific/Kiritimati", "2026-11-30T09:59:59.999Z", "2026-11"],
    ["Pacific/Kiritimati", "2026-11-30T10:00:00Z", "2026-12"],
    ["Etc/GMT+12", "2027-01-01T11:59:59.999Z", "2026-12"],
    ["Etc/GMT+12", "2027-01-01T12:00:00Z", "2027-01"],
    ["Asia/Kathmandu", "2026-11-30T18:15:00Z", "2026-12"],
    // Clocks went from midnight to one o'clock, so that the month began then.
    ["America/Asuncion", "2023-10-01T03:59:59.999Z", "2023-09"],
    ["America/Asuncion", "2023-10-01T04:00:00Z", "2023-10"],
    // Clocks went from midnight back to 23 o'clock.
    ["Asia/Amman", "2010-10-28T22:30:00Z", "2010-10"],
  ])("in %s at %s is %s", (time_zone, at, period) => {
    expect(periodIn(time_zone, at)).toBe(period);
  });

  it("never goes back behind the last run, when the zone moves west on the first of a month", () => {
    const at = "2026-12-01T00:30:00Z";
    expect(periodIn("Etc/GMT+12", at)).toBe("2026-11");
    expect(periodIn("Etc/GMT+12", at, "2026-12")).toBe("2026-12");
    expect(periodIn("Etc/GMT+12", at, "2026-10")).toBe("2026-11");
  });
});

describe("the payout day", () => {
  it("begins at midnight of the organization's zone", () => {
    const berlin = calendarOf({ time_zone: "Europe/Berlin", payout_day: 5, last_period: "2026-11" });
    expect(duePeriod(berlin, new Date("2026-12-04T22:59:59Z"))).toBeNull();
    expect(nextRunOn(berlin, new Date("2026-12-04T22:59:59Z"))).toBe("2026-12-05");
    expect(duePeriod(berlin, new Date("2026-12-04T23:00:00Z"))).toBe("2026-12");
    expect(nextRunOn(berlin, new Date("2026-12-04T23:00:00Z"))).toBe("2026-12-05");
  });

  it("starts no second run of a month when the zone moves back before it", () => {
    const west = calendarOf({ time_zone: "Etc/GMT+12", last_period: "2026-12" });
    const now = new Date("2026-12-01T00:30:00Z");
    expect(duePeriod(west, now)).toBeNull();
    expect(nextRunOn(west, now)).toBe("2027-01-01");
    expect(duePeriod(west, new Date("2026-12-20T00:00:00Z"))).toBeNull();
    expect(duePeriod(west, new Date("2027-01-01T12:00:00Z"))).toBe("2027-01");
  });

  it("is made up for when the zone moves from 27 February to 1 March", () => {
    const now = new Date("2027-02-28T10:30:00Z");
    const before = calendarOf({ time_zone: "Etc/GMT+12", payout_day: 28, last_period: "2027-01" });
    expect(duePeriod(before, now)).toBeNull();
    const after = { ...before, time_zone: "Pacific/Kiritimati" };
    expect(duePeriod(after, now)).toBe("2027-02");
    expect(nextRunOn(after, now)).toBe("2027-03-01");
    expect(nextRunOn({ ...after, last_period: "2027-02" }, now)).toBe("2027-03-28");
  });

  it("that was set after it started no run of the month before", () => {
    const new_day = calendarOf({ payout_day: 20, payout_day_since: new Date("2026-12-05T00:00:00Z") });
    const now = new Date("2026-12-05T00:00:01Z");
    expect(duePeriod(new_day, now)).toBeNull();
    expect(nextRunOn(new_day, now)).toBe("2026-12-20");
    expect(duePeriod({ ...new_day, payout_day: 3 }, now)).toBe("2026-12");
    expect(duePeriod(calendarOf({ payout_day: null, payout_day_since: null }), now)).toBeNull();
  });

  it("starts one run for each month, wherever the zone moves", () => {
    const zones = [
      "UTC",
      "Pacific/Kiritimati",
      "Etc/GMT+12",
      "Europe/Berlin",
      "America/Asuncion",
      "Asia/Kathmandu",
    ];
    const move = fc.record({ hour: fc.integer({ min: 0, max: HOURS }), zone: fc.constantFrom(...zones) });
    // Near the turns of months, where they matter.
    const turns = fc.record({
      hour: fc
        .tuple(fc.constantFrom(31, 59, 90), fc.integer({ min: -60, max: 60 }))
        .map(([d, h]) => d * 24 + h),
      zone: fc.constantFrom(...zones),
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(move, turns), { maxLength: 12 }),
        fc.constantFrom(1, 2, 15, 27, 28),
        (moves, payout_day) => {
          const calendar = calendarOf({ payout_day, last_period: "2026-12" });
          const periods: string[] = [];
          for (let hour = 0; hour < HOURS; hour++) {
            for (const { zone } of moves.filter((at) => at.hour === hour)) calendar.time_zone = zone;
            const now = new Date(Date.UTC(2027, 0, 1) + hour * HOUR);
            const due = duePeriod(calendar, now);
            if (due === null) continue;
            expect(nextRunOn(calendar, now) ?? "").toMatch(/^2027-/);
            periods.push(due);
            calendar.last_period = due;
          }
          expect(periods).toEqual(["2027-01", "2027-02", "2027-03", "2027-04"]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
