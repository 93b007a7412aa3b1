import type { CommissionState } from "@findersfee/contract/commissions/rows";

/** The states of commissions. */
export const state_words = {
  held: "Held",
  due: "Due",
  pending: "In payout",
  paid: "Paid",
  voided: "Voided",
} satisfies Record<CommissionState, string>;
