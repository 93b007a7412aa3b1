import { DAY, type History } from "./history.ts";
import { checkout, history, once, payment, TERMS } from "./sample-histories.ts";

/** The second affiliate's commissions wait until one has passed. */
const FIRST = {
  campaigns: [TERMS, { ...TERMS, review: "first" }],
  affiliates: [
    { campaign: 0, approved: true, is_customer: null, own_rules: null },
    { campaign: 1, approved: true, is_customer: null, own_rules: null },
  ],
} satisfies Partial<History>;

/** Histories of reviews on which the service, or this model, contradicted the documents once. */
export const REVIEWS_MENDED: Record<string, History> = {
  first_passes_with_an_approved_one_that_moves: history(
    [
      checkout({ at: -70 * DAY }),
      payment({ at: -60 * DAY }),
      { kind: "approve", payment: 0 },
      { kind: "set_review", campaign: 0, terms: { review: "none", review_above: null } },
      payment({ name: 1, at: -50 * DAY }),
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    ],
    {
      ...FIRST,
      campaigns: [
        { ...TERMS, review: "all" },
        { ...TERMS, review: "first" },
      ],
    },
  ),
  first_passes_with_a_later_one_that_moves: history(
    [
      checkout({ at: -70 * DAY }),
      payment({ name: 1, at: -50 * DAY }),
      { kind: "approve", payment: 1 },
      { kind: "set_review", campaign: 0, terms: { review: "none", review_above: null } },
      payment({ at: -60 * DAY }),
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    ],
    {
      ...FIRST,
      campaigns: [
        { ...TERMS, review: "all" },
        { ...TERMS, review: "first" },
      ],
    },
  ),
  first_waits_again_after_a_refund: history(
    [
      checkout({ at: -70 * DAY }),
      payment({ at: -60 * DAY }),
      { kind: "approve", payment: 0 },
      once({ kind: "refund", payment: 0, at: -50 * DAY, percent: 100, fails: false }),
      { kind: "set_rate", campaign: 0, rate: { type: "percentage", amount: 20 } },
      payment({ name: 1, at: -40 * DAY }),
    ],
    { terms: { review: "first" } },
  ),
  larger_after_its_payout: history(
    [
      { kind: "set_payouts", hold_days: 0 },
      checkout({ at: -110 * DAY }),
      payment({ at: -3 * DAY }),
      { kind: "run" },
      { kind: "move", status: "paid" },
      payment({ at: -40 * DAY, name: 1 }),
    ],
    { terms: { review_above: 10, first_payment: { type: "percentage", amount: 7.5 } } },
  ),
};
