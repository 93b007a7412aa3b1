import { api_versions, type StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";

const [API_VERSION] = api_versions;

/** Amounts in cents. */
const NET = 4_900;
const TAX = 980;
const GROSS = NET + TAX;
const THIRD = GROSS / 3;

const customer = "cus_Kim";
const subscription = "sub_Kim";
const product = "prod_Basic";

/** The email of the demo's customer. */
export const CUSTOMER_EMAIL = "kim@example.com";

/**
 * Events that Stripe sends for a customer with a subscription of $49.00 plus $9.80 tax a month. The ids are constant, because
 * each demo has its own organization.
 */
export const stripe_account = {
  subscribed: (): StripeObject[] => [
    event("customer.subscription.created", (created) =>
      sampleSubscription(API_VERSION, {
        id: subscription,
        created,
        customer,
        status: "active",
        price: { id: "price_Basic", product, unit_amount: NET },
      }),
    ),
  ],

  /** The invoice of the first, second or third month, and its payment. */
  invoicePaid: (month: number): StripeObject[] => [
    event("invoice.paid", (created) =>
      sampleInvoice(API_VERSION, {
        id: `in_${month}`,
        created,
        customer,
        customer_email: CUSTOMER_EMAIL,
        subscription,
        lines: [{ product, amount: NET, tax: TAX }],
      }),
    ),
    event("invoice_payment.paid", (created) =>
      sampleInvoicePayment({
        id: `inpay_${month}`,
        created,
        amount: GROSS,
        invoice: `in_${month}`,
        payment_intent: `pi_${month}`,
      }),
    ),
  ],

  checkoutCompleted: (click_id: string): StripeObject[] => [
    event("checkout.session.completed", (created) =>
      sampleCheckoutSession(API_VERSION, {
        id: "cs_Kim",
        created,
        mode: "subscription",
        amount_subtotal: NET,
        amount_tax: TAX,
        customer,
        email: CUSTOMER_EMAIL,
        invoice: "in_1",
        subscription,
        client_reference_id: click_id,
      }),
    ),
  ],

  /** Refunds a third of a month's payment. */
  refunded: (month: number): StripeObject[] => [
    event("refund.created", (created) =>
      sampleRefund(API_VERSION, { id: `re_${month}`, created, amount: THIRD, ...paymentOf(month), customer }),
    ),
    event("charge.refunded", (created) =>
      sampleCharge(API_VERSION, {
        id: paymentOf(month).charge,
        created,
        amount: GROSS,
        amount_refunded: THIRD,
        customer,
        email: CUSTOMER_EMAIL,
        payment_intent: paymentOf(month).payment_intent,
      }),
    ),
  ],

  disputed: (month: number): StripeObject[] => [dispute("charge.dispute.created", "needs_response", month)],

  disputeLost: (month: number): StripeObject[] => [dispute("charge.dispute.closed", "lost", month)],
};

function dispute(type: string, status: string, month: number): StripeObject {
  return event(type, (created) =>
    sampleDispute(API_VERSION, {
      id: `du_${month}`,
      created,
      amount: GROSS,
      ...paymentOf(month),
      status,
      withdrawn_at: created,
    }),
  );
}

function paymentOf(month: number) {
  return { charge: `ch_${month}`, payment_intent: `pi_${month}` };
}

function event(type: string, makeObject: (created: number) => StripeObject): StripeObject {
  const created = Math.floor(Date.now() / 1000);
  return stripeEvent({ type, object: makeObject(created), api_version: API_VERSION, created });
}
