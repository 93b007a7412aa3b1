import { expect, it } from "vitest";
import { wordOf } from "./words.ts";

it.each([
  ["campaign", "code_mode", "both", "Link and promo code"],
  ["campaign", "customers", "new", "New customers only"],
  ["campaign", "joining", "closed", "Nobody"],
  ["commission", "payout_status", "not_paid", "Not paid"],
  ["payment_decision", "outcome", "click_expired", "Click expired"],
  ["mail", "kind", "payout_paid", "Payout paid"],
  // Values that people wrote stay as they are, even if they are called like values of another resource.
  ["campaign", "name", "both", null],
  ["affiliate", "payout_status", "not_paid", null],
  ["commission", "payout_status", "toString", null],
  ["commission", "revenue_amount", 5, null],
] as const)("says %s %s %s as %s", (resource, field, value, words) => {
  expect(wordOf(resource, field, value)).toBe(words);
});
