/* A payment of 119.00 as Stripe reports it: by a payment intent and a charge, and by a checkout or an invoice. */
import type { Database } from "@findersfee/database/postgres/connect";
import type { ApiVersion, StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import type { Context } from "../../src/context.ts";
import { parseStripeMessage } from "../../src/processors/stripe/parse.ts";
import { factsOf } from "../processors/parsed.ts";
import { makeContext } from "../subscriber.ts";
import { addPartner, apply, click, type Partner } from "./program.ts";
import { second } from "./reported.ts";

/** In seconds, as Stripe's times. */
export const PAID = second(24 * 60 * 60).getTime() / 1000;
const EMAIL = "buyer@customers.test";

export interface Visit {
  context: Context;
  partner: Partner;
  click_id: string;
}

/** A new organization with a partner and a click on their link, an hour before the payment. */
export async function makeVisit(database: Database): Promise<Visit> {
  const context = await makeContext(database);
  const partner = await addPartner(context);
  const at = new Date((PAID - 3_600) * 1000);
  return { context, partner, click_id: await click(context, { affiliate_id: partner.affiliate_id, at }) };
}

export interface Report {
  type: string;
  object: StripeObject;
  /** Seconds after the payment. */
  after?: number;
}

/** Reports each event of Stripe in a transaction of its own. */
export async function reportEvents(
  context: Context,
  api_version: ApiVersion,
  reports: readonly Report[],
): Promise<void> {
  for (const { type, object, after = 0 } of reports) {
    const event = stripeEvent({ type, object, api_version, created: PAID + after, livemode: true });
    const facts = factsOf(parseStripeMessage(event));
    await apply(
      context,
      facts.map((fact) => ({ processor: "stripe", message_id: event.id, fact })),
    );
  }
}

export const charge = (
  version: ApiVersion,
  fields: Partial<Parameters<typeof sampleCharge>[1]> = {},
): Report => ({
  type: "charge.succeeded",
  object: sampleCharge(version, {
    id: "ch_1",
    created: PAID,
    amount: 11_900,
    customer: "cus_1",
    email: EMAIL,
    payment_intent: "pi_1",
    ...fields,
  }),
});

export const intent = (
  version: ApiVersion,
  click_id: string,
  fields: Partial<Parameters<typeof samplePaymentIntent>[1]> = {},
): Report => ({
  type: "payment_intent.succeeded",
  object: samplePaymentIntent(version, {
    id: "pi_1",
    created: PAID,
    amount: 11_900,
    customer: "cus_1",
    latest_charge: "ch_1",
    metadata: { findersfee_click_id: click_id },
    ...fields,
  }),
});

export const refund = (version: ApiVersion): Report => ({
  type: "refund.created",
  object: sampleRefund(version, {
    id: "re_1",
    created: PAID + 60,
    amount: 5_950,
    charge: "ch_1",
    payment_intent: "pi_1",
  }),
  after: 60,
});

/** An invoice of 100.00 and 19.00 of tax. */
export const invoice = (version: ApiVersion, click_id: string): Report => ({
  type: "invoice.paid",
  object: sampleInvoice(version, {
    id: "in_1",
    created: PAID,
    customer: "cus_1",
    customer_email: EMAIL,
    lines: [{ product: "prod_basic", amount: 10_000, tax: 1_900 }],
    payment_intent: "pi_1",
    charge: "ch_1",
    metadata: { findersfee_click_id: click_id },
  }),
  after: 1,
});

export const invoicePayment: Report = {
  type: "invoice_payment.paid",
  object: sampleInvoicePayment({
    id: "inpay_1",
    created: PAID,
    amount: 11_900,
    invoice: "in_1",
    payment_intent: "pi_1",
  }),
};

export const checkout = (version: ApiVersion, click_id: string): Report => ({
  type: "checkout.session.completed",
  object: sampleCheckoutSession(version, {
    id: "cs_test_1",
    created: PAID - 60,
    mode: "payment",
    amount_subtotal: 10_000,
    amount_tax: 1_900,
    customer: "cus_1",
    email: EMAIL,
    payment_intent: "pi_1",
    client_reference_id: click_id,
  }),
});
