import type { Payout } from "@findersfee/contract/payouts/payouts";

/** The statuses of payouts. */
export const status_words = {
  pending: "Pending",
  processing: "Processing",
  paid: "Paid",
  failed: "Failed",
  canceled: "Canceled",
} satisfies Record<Payout["status"], string>;
