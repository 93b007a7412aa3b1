import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { type AttributionSources, attributionSources } from "./attribution-sources.ts";
import { type Payer, someAmount } from "./payer.ts";
import { type Paid, reverse } from "./refunds.ts";
import type { Timeline } from "./timeline.ts";

/** Reports the payment intent and the charge of every payment, in addition to its other events. */
export function reportCharges(
  timeline: Timeline,
  { api_version, currency, customer, email }: Payer,
  {
    amount,
    at,
    charge,
    payment_intent,
    invoice,
    checkout = null,
    click = null,
  }: Paid & {
    checkout?: string | null;
    click?: AttributionSources["click"];
  },
): void {
  const shared = { created: at, amount, currency, customer };
  const intent = samplePaymentIntent(api_version, {
    ...shared,
    id: payment_intent,
    latest_charge: charge,
    invoice,
    checkout_session: checkout,
    metadata: click === null ? {} : { findersfee_click_id: click },
  });
  timeline.report("payment_intent.succeeded", intent, { at, api_version });
  const object = sampleCharge(api_version, { ...shared, id: charge, email, invoice, payment_intent });
  timeline.report("charge.succeeded", object, { at, api_version });
}

/** A payment through a merchant's own form, without a checkout and an invoice at Stripe. */
export function chargeAlone(timeline: Timeline, payer: Payer, at: number): void {
  const [payment_intent, charge] = [timeline.id("pi"), timeline.id("ch")];
  const amount = someAmount(payer, timeline.random);
  const paid: Paid = { amount, at, charge, payment_intent, invoice: null };
  reportCharges(timeline, payer, { ...paid, click: attributionSources(timeline, { at }).click });
  reverse(timeline, payer, paid);
}
