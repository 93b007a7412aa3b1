import { describe, expect, it } from "vitest";
import { addMonths, Earned, isWithinLimit } from "./limit.ts";

const at = (text: string) => new Date(`${text}T10:00:00.000Z`);

/** Commissions of these days; those in brackets are void. */
function earned(...days: string[]): Earned {
  const all = new Earned();
  for (const day of days) all.add(at(day.slice(-10)), day.startsWith("void ") ? () => false : null);
  return all;
}

describe("months", () => {
  const limit = { type: "months", amount: 3 } as const;

  it("start with the first commission and end before the same time of day", () => {
    expect(isWithinLimit(limit, earned(), at("2040-01-01"))).toBe(true);
    const before = earned("2026-02-28", "2026-01-31");
    expect(isWithinLimit(limit, before, new Date("2026-04-30T09:59:59.999Z"))).toBe(true);
    expect(isWithinLimit(limit, before, at("2026-04-30"))).toBe(false);
  });

  it("count from the first commission even if it was refunded", () => {
    expect(isWithinLimit(limit, earned("void 2026-01-01"), at("2026-04-01"))).toBe(false);
  });
});

describe("payments", () => {
  const limit = { type: "payments", amount: 2 } as const;

  it("are counted unless they were void at the time", () => {
    const days = ["2026-01-01", "void 2026-02-01"];
    expect(isWithinLimit(limit, earned(...days), at("2026-03-01"))).toBe(true);
    expect(isWithinLimit(limit, earned(...days, "2026-02-02"), at("2026-03-01"))).toBe(false);
  });
});

it.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2024-01-31", 1, "2024-02-29"],
  ["2026-12-15", 1, "2027-01-15"],
  ["2024-02-29", 12, "2025-02-28"],
  ["2026-05-31", 18, "2027-11-30"],
])("%s and %i months are %s", (from, months, to) => {
  expect(addMonths(at(from), months)).toEqual(at(to));
});
