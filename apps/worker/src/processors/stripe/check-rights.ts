import { stripe_rights } from "@findersfee/contract/processors/stripe-rights";
import type { Stripe } from "stripe";
import { stripeFailure } from "./client.ts";

type RightId = (typeof stripe_rights)[number]["id"];

/** Ids that no object has: Stripe looks at the permission first, and then finds nothing to change. */
const NO_ENDPOINT = "we_findersfee_permission_check";
const NO_PROMOTION_CODE = "promo_findersfee_permission_check";

/** For each right, a call that needs it and changes nothing. */
const CALLS: Record<RightId, (stripe: Stripe) => PromiseLike<unknown>> = {
  "webhook_endpoints:write": (stripe) => stripe.webhookEndpoints.update(NO_ENDPOINT, { metadata: {} }),
  "events:read": (stripe) => stripe.events.list({ limit: 1 }),
  "checkout_sessions:read": (stripe) => stripe.checkout.sessions.list({ limit: 1 }),
  "invoices:read": (stripe) => stripe.invoices.list({ limit: 1 }),
  "payment_intents:read": (stripe) => stripe.paymentIntents.list({ limit: 1 }),
  "charges:read": (stripe) => stripe.charges.list({ limit: 1 }),
  "balance:read": (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  "promotion_codes:write": (stripe) => stripe.promotionCodes.update(NO_PROMOTION_CODE, { active: false }),
  "coupons:read": (stripe) => stripe.coupons.list({ limit: 1 }),
};

/** The rights that the key lacks, in the order of `stripe_rights`. Throws Stripe's errors of other reasons. */
export async function missingRights(stripe: Stripe): Promise<RightId[]> {
  const checks = stripe_rights.map(async ({ id }) => ((await hasRight(stripe, id)) ? [] : [id]));
  return (await Promise.all(checks)).flat();
}

async function hasRight(stripe: Stripe, id: RightId): Promise<boolean> {
  try {
    await CALLS[id](stripe);
    return true;
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure?.kind !== "refused" || failure.status === 401) throw error;
    // Any other refusal shows that Stripe has accepted the permission.
    return failure.status !== 403;
  }
}
