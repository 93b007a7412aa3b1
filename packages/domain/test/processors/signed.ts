import { Stripe } from "stripe";
import { signatureKey, signWebhook } from "../../src/webhooks/deliveries/signature.ts";

export const STRIPE_SECRET = "whsec_5f0b9a7cde1234567890abcdef123456";

/** The header that Stripe would send with a body. */
export function stripeHeaders(
  body: string,
  { secret = STRIPE_SECRET, at = new Date() }: { secret?: string; at?: Date } = {},
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }),
  };
}

/** The headers that a biller sends with a body to the generic processor. */
export function genericHeaders(
  body: string,
  { id, secret, at = new Date() }: { id: string; secret: string; at?: Date },
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signWebhook({ id, timestamp, body }, [signatureKey(secret)]),
  };
}

/** An event of Stripe as text. */
export function stripeEvent(
  id: string,
  type: string,
  object: Record<string, unknown>,
  changes: Record<string, unknown> = {},
): string {
  const created = Math.floor(Date.now() / 1000);
  return JSON.stringify({
    id,
    object: "event",
    api_version: "2025-09-30.clover",
    created,
    livemode: true,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
    ...changes,
  });
}
