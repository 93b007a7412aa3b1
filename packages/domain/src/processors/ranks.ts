import type { SubscriptionFact } from "../attribution/facts/payment-fact.ts";

/*
 * Ranks that order states of the same time. Within one tick of the processor's clock, states are assumed to move
 * forward: a trial became paid, a dispute was lost.
 */

/** By a subscription's status; `none`: it has not started. */
export const subscription_ranks: Record<NonNullable<SubscriptionFact["status"]> | "none", number> = {
  none: 0,
  trialing: 1,
  active: 2,
  past_due: 3,
  canceled: 4,
};

/** Ranks by the outcome of a dispute. An inquiry moves no money and may end there. */
export const dispute_ranks = { inquiry: 0, open: 1, lost: 2, won: 3 };

/** Ranks by whether the money is gone, or came back because the refund failed. */
export const refund_ranks = { gone: 0, returned: 1 };
