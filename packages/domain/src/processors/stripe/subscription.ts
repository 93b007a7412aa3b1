import { z } from "zod";
import type { SubscriptionFact } from "../../attribution/facts/payment-fact.ts";
import { subscription_ranks } from "../ranks.ts";
import { read } from "../unsupported.ts";
import { id, OBJECT, reference, type StripeEvent, time } from "./fields.ts";

/** Stripe's statuses mapped to referrals' statuses. */
const statuses = {
  active: "active",
  canceled: "canceled",
  incomplete: null,
  incomplete_expired: "canceled",
  past_due: "past_due",
  paused: "past_due",
  trialing: "trialing",
  unpaid: "past_due",
} as const;

/** https://docs.stripe.com/api/subscriptions/object */
const subscriptionSchema = z.object({
  id,
  created: time.nullish(),
  customer: reference,
  status: z.enum([
    "active",
    "canceled",
    "incomplete",
    "incomplete_expired",
    "past_due",
    "paused",
    "trialing",
    "unpaid",
  ]),
});

/** The status of a subscription. A deleted one has ended, regardless of its status field. */
export function readSubscription({ type, at, object }: StripeEvent): SubscriptionFact[] {
  const subscription = read(subscriptionSchema, object, OBJECT);
  const status = type === "customer.subscription.deleted" ? "canceled" : statuses[subscription.status];
  return [
    {
      kind: "subscription",
      subject: subscription.id,
      at,
      rank: subscription_ranks[status ?? "none"],
      references: [],
      belongs_to: [],
      // The first report may be of a change, long after the subscription started.
      ...(subscription.created ? { since: subscription.created } : {}),
      customer_id: subscription.customer,
      status,
    },
  ];
}
