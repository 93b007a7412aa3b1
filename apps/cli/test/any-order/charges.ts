import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { type Brought, bring } from "./bringing.ts";
import type { Chronicle } from "./chronicle.ts";
import { type Payer, someAmount } from "./payer.ts";
import { type Paid, takeBack } from "./taken-back.ts";

/** Stripe reports the payment intent and the charge of every payment, besides its other events. */
export function tellCharges(
  chronicle: Chronicle,
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
    click?: Brought["click"];
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
  chronicle.tell("payment_intent.succeeded", intent, { at, api_version });
  const object = sampleCharge(api_version, { ...shared, id: charge, email, invoice, payment_intent });
  chronicle.tell("charge.succeeded", object, { at, api_version });
}

/** A payment that a merchant's own form takes, without a checkout of Stripe's and without an invoice. */
export function chargeAlone(chronicle: Chronicle, payer: Payer, at: number): void {
  const [payment_intent, charge] = [chronicle.id("pi"), chronicle.id("ch")];
  const amount = someAmount(payer, chronicle.random);
  const paid: Paid = { amount, at, charge, payment_intent, invoice: null };
  tellCharges(chronicle, payer, { ...paid, click: bring(chronicle, { at }).click });
  takeBack(chronicle, payer, paid);
}
