import { api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";

const [API_VERSION] = api_versions;

/** The bodies that Stripe sends in test mode for a first month of $49.00, bought after a click. */
export function stripeSale(click_id: string): string[] {
  const customer = "cus_Kim";
  const subscription = "sub_Kim";
  const email = "kim@example.com";
  const invoice = "in_1";
  const event = (type: string, makeObject: (created: number) => StripeObject) => {
    const created = Math.floor(Date.now() / 1000);
    return JSON.stringify(
      stripeEvent({ type, object: makeObject(created), api_version: API_VERSION, created }),
    );
  };
  return [
    event("checkout.session.completed", (created) =>
      sampleCheckoutSession(API_VERSION, {
        ...{ id: "cs_Kim", created, mode: "subscription", amount_subtotal: 4_900 },
        ...{ customer, email, invoice, subscription, client_reference_id: click_id },
      }),
    ),
    event("invoice.paid", (created) =>
      sampleInvoice(API_VERSION, {
        ...{ id: invoice, created, customer, customer_email: email, subscription },
        lines: [{ product: "prod_Basic", amount: 4_900 }],
      }),
    ),
    event("invoice_payment.paid", (created) =>
      sampleInvoicePayment({ id: "inpay_1", created, amount: 4_900, invoice, payment_intent: "pi_1" }),
    ),
  ];
}
