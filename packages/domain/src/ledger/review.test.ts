import { describe, expect, it } from "vitest";
import { reviewOf } from "./review.ts";

const NONE = { review: "none", review_above_minor: null, review_approve_after_days: null } as const;
const CREATED = new Date("2026-11-20T09:30:00.000Z");
const COMMISSION = { commission_minor: 3_000n, currency: "USD", reversal_of: null, created_at: CREATED };

interface Case {
  campaign?: Partial<Parameters<typeof reviewOf>[1]["campaign"]>;
  commission?: Partial<typeof COMMISSION> | { reversal_of: string };
  is_cleared?: boolean;
}

function reviewIn({ campaign, commission, is_cleared = false }: Case) {
  return reviewOf(
    { ...COMMISSION, ...commission },
    { campaign: { ...NONE, ...campaign }, currency: "USD", is_cleared },
  );
}

const CASES: [string, Case, string[] | null][] = [
  ["no setting", {}, null],
  ["only a time", { campaign: { review_approve_after_days: 3 } }, null],
  ["all", { campaign: { review: "all" }, is_cleared: true }, ["campaign_reviews_all"]],
  ["the first", { campaign: { review: "first" } }, ["first_of_affiliate"]],
  ["the first, of a cleared affiliate", { campaign: { review: "first" }, is_cleared: true }, null],
  ["an amount, at it", { campaign: { review_above_minor: 3_000n } }, null],
  ["an amount, above it", { campaign: { review_above_minor: 2_999n } }, ["above_amount"]],
  [
    "an amount, in another currency",
    { campaign: { review_above_minor: 5_000n }, commission: { currency: "EUR" } },
    ["other_currency"],
  ],
  ["both", { campaign: { review: "first", review_above_minor: 1n } }, ["first_of_affiliate", "above_amount"]],
  ["a later correction", { campaign: { review: "all" }, commission: { reversal_of: "an id" } }, null],
];

describe("a new commission", () => {
  it.each(CASES)("with %s", (_name, given, reasons) => {
    expect(reviewIn(given)?.reasons ?? null).toEqual(reasons);
  });

  it("is approved by itself after the days of its campaign, or never", () => {
    expect(reviewIn({ campaign: { review: "all" } })?.approves_at).toBeNull();
    const after_two_days = reviewIn({ campaign: { review: "all", review_approve_after_days: 2 } });
    expect(after_two_days?.approves_at).toEqual(new Date("2026-11-22T09:30:00.000Z"));
  });
});
