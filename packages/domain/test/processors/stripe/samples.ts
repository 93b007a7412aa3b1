import type { ApiVersion, StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleCreditNote } from "@findersfee/samples/stripe/credit-note";
import { sampleCustomer } from "@findersfee/samples/stripe/customer";
import { sampleCoupon, sampleDiscount, samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleLine } from "@findersfee/samples/stripe/invoice-line";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { samplePlan, samplePrice } from "@findersfee/samples/stripe/price";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";

/** A second of 2026-11-20. */
export const NOON = 1_795_176_000;

const price = { id: "price_1Basic", product: "prod_Basic", unit_amount: 2000 };
const payment = { charge: "ch_3Qs", payment_intent: "pi_3Qs" };
const line = { product: "prod_Basic", amount: 2000, tax: 380 };
const context = {
  invoice: "in_1Qs",
  subscription: "sub_1Qs",
  currency: "usd",
  created: NOON,
  index: 0,
  discount: null,
};

/** One of each object that events are about, and of those within them. */
export function oneOfEach(version: ApiVersion): StripeObject[] {
  const created = NOON;
  const discount = { id: "di_1Qs", start: NOON, coupon: "TWENTY", promotion_code: "promo_1Qs" };
  return [
    sampleCharge(version, { id: "ch_3Qs", created, amount: 2380, payment_intent: "pi_3Qs" }),
    sampleCheckoutSession(version, {
      id: "cs_test_a1Qs",
      created,
      mode: "payment",
      amount_subtotal: 2000,
      amount_tax: 380,
      email: "customer@example.com",
      payment_intent: "pi_3Qs",
      promotion_code: "promo_1Qs",
    }),
    sampleCoupon({ id: "TWENTY", created }),
    sampleCreditNote(version, {
      id: "cn_1Qs",
      created,
      customer: "cus_1Qs",
      invoice: "in_1Qs",
      refunded: { amount: 500, refund: "re_3Qs" },
      out_of_band: 1880,
    }),
    sampleCustomer(version, { id: "cus_1Qs", created, email: "customer@example.com", discount }),
    sampleDiscount(version, discount),
    sampleDispute(version, { id: "du_1Qs", created, amount: 2380, ...payment, status: "needs_response" }),
    sampleInvoice(version, {
      id: "in_1Qs",
      created,
      customer: "cus_1Qs",
      subscription: "sub_1Qs",
      ...payment,
      lines: [line, { product: null, amount: 500, discount: 100, tax: 76, tax_behavior: "inclusive" }],
      discount,
    }),
    sampleInvoicePayment({
      id: "inpay_1Qs",
      created,
      amount: 2380,
      invoice: "in_1Qs",
      payment_intent: "pi_3Qs",
    }),
    sampleLine(version, line, context),
    samplePaymentIntent(version, { id: "pi_3Qs", created, amount: 2380, latest_charge: "ch_3Qs" }),
    samplePlan(version, { ...price, currency: "usd", created }),
    samplePrice(version, { ...price, currency: "usd", created }),
    samplePromotionCode(version, { id: "promo_1Qs", created, code: "JANE20", coupon: "TWENTY" }),
    sampleRefund(version, { id: "re_3Qs", created, amount: 2380, ...payment }),
    sampleSubscription(version, { id: "sub_1Qs", created, customer: "cus_1Qs", status: "active", price }),
  ];
}

/** The event types that report each object. */
export const types_by_object: Record<string, string[]> = {
  charge: ["charge.captured", "charge.refunded", "charge.succeeded"],
  "checkout.session": ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
  credit_note: ["credit_note.created", "credit_note.voided"],
  customer: ["customer.created", "customer.updated", "customer.deleted"],
  discount: ["customer.discount.created"],
  dispute: [
    "charge.dispute.closed",
    "charge.dispute.created",
    "charge.dispute.funds_reinstated",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.updated",
  ],
  invoice: ["invoice.paid", "invoice.payment_succeeded"],
  invoice_payment: ["invoice_payment.paid"],
  payment_intent: ["payment_intent.succeeded"],
  promotion_code: ["promotion_code.created", "promotion_code.updated"],
  refund: ["charge.refund.updated", "refund.created", "refund.failed", "refund.updated"],
  subscription: [
    "customer.subscription.created",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "customer.subscription.trial_will_end",
    "customer.subscription.updated",
  ],
};
