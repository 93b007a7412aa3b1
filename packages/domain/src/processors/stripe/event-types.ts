import { required_event_types } from "@findersfee/contract/processors/stripe-events";

/** Types that are read but not required: each repeats a required type for some payments or API versions. */
const optional_event_types = [
  "charge.captured",
  "charge.refund.updated",
  "invoice.payment_succeeded",
] as const;

/** Types that report a payment which a checkout or an invoice may report better, usually within seconds. */
const charge_event_types: readonly string[] = [
  "charge.captured",
  "charge.succeeded",
  "payment_intent.succeeded",
] satisfies StripeEventType[];

const CHARGE_DELAY_MILLISECONDS = 60_000;

/**
 * When to process an event. Charges wait for a minute after they occurred: a commission made from a charge before its
 * checkout arrived would send `commission.created` with tax included, and events are never corrected.
 */
export function dueAt(type: string, { occurred_at, now }: { occurred_at: Date; now: Date }): Date {
  if (!charge_event_types.includes(type)) return now;
  const delay = occurred_at.getTime() + CHARGE_DELAY_MILLISECONDS - now.getTime();
  // Stripe's clock may be ahead of this machine's.
  return new Date(now.getTime() + Math.min(Math.max(delay, 0), CHARGE_DELAY_MILLISECONDS));
}

/** The Stripe event types that are read; all others are skipped. */
export type StripeEventType = (typeof required_event_types | typeof optional_event_types)[number];

export const stripe_event_types: readonly string[] = [...required_event_types, ...optional_event_types];
