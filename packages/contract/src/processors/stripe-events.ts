/**
 * The Stripe event types that a webhook endpoint must enable. Connecting compares an endpoint with this list, and
 * docs/processors.md names the same types.
 */
export const required_event_types = [
  "charge.dispute.closed",
  "charge.dispute.created",
  "charge.dispute.funds_reinstated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.updated",
  "charge.refunded",
  "charge.succeeded",
  "checkout.session.async_payment_succeeded",
  "checkout.session.completed",
  "customer.created",
  "customer.deleted",
  "customer.discount.created",
  "customer.subscription.created",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "customer.subscription.updated",
  "customer.updated",
  "invoice.paid",
  "invoice_payment.paid",
  "payment_intent.succeeded",
  "promotion_code.created",
  "promotion_code.updated",
  "refund.created",
  "refund.failed",
  "refund.updated",
] as const;
