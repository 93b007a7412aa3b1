import type { CommissionState } from "@findersfee/contract/commissions/rows";

/** The states of commissions. */
export const state_words = {
  in_review: "In review",
  held: "Held",
  due: "Due",
  pending: "In payout",
  paid: "Paid",
  voided: "Voided",
} satisfies Record<CommissionState, string>;
