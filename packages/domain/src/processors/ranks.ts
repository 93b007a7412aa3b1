import type { SubscriptionFact } from "../attribution/facts/payment-fact.ts";

/*
 * Which of two states of one moment is the later one. Where a processor tells them within one tick of its
 * clock, they went forward: a trial began to be paid, a dispute was lost.
 */

/** By a subscription's status; `none`: it has not begun. */
export const subscription_ranks: Record<NonNullable<SubscriptionFact["status"]> | "none", number> = {
  none: 0,
  trialing: 1,
  active: 2,
  past_due: 3,
  canceled: 4,
};

/** By what became of a dispute. An inquiry takes nothing and may end there. */
export const dispute_ranks = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** By whether the money is gone, or came back because the refund failed. */
export const refund_ranks = { gone: 0, returned: 1 };
