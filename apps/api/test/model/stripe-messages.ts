import type { ApiVersion, StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleCheckoutSession } from "@findersfee/samples/stripe/checkout-session";
import { sampleCustomer } from "@findersfee/samples/stripe/customer";
import { sampleDiscount } from "@findersfee/samples/stripe/discount";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { sampleSubscription } from "@findersfee/samples/stripe/subscription";
import { partOf } from "./amounts.ts";
import {
  type Checkout,
  type Dispute,
  FAILS_AFTER,
  type Fact,
  failedRefund,
  type History,
  type Payment,
  paidPayment,
  type Refund,
} from "./history.ts";
import { COUPON, type Message, type Names, paymentId, promotionCodeId, whoOf } from "./names.ts";

/** How long after a session was opened its discount starts. */
const DISCOUNT_AFTER = 30;

interface Context extends Names {
  api_version: ApiVersion;
}

/** Stripe's events of the fact at a step. */
export function stripeMessagesOf(history: History, step: number, fact: Fact, context: Context): Message[] {
  switch (fact.kind) {
    case "customer": {
      const { customer_id, email } = whoOf(history, fact);
      if (customer_id === null || email === null) return [];
      const { api_version } = context;
      const created = secondsOf(fact, context);
      const object = sampleCustomer(api_version, { id: customer_id, created, email });
      return [event(`evt_${step}`, "customer.updated", object, { api_version, created })];
    }
    case "trial": {
      const { customer_id } = whoOf(history, fact);
      if (customer_id === null) return [];
      const { api_version } = context;
      const created = secondsOf(fact, context);
      const price = { id: "price_1", product: "prod_a", unit_amount: 1000, interval: "month" as const };
      const trial = { id: `sub_trial_${step}`, created, customer: customer_id, status: "trialing", price };
      const object = sampleSubscription(api_version, { ...trial, trial_end: created + 14 * 86_400 });
      return [event(`evt_${step}`, "customer.subscription.created", object, { api_version, created })];
    }
    case "checkout":
      return checkoutMessages(history, step, fact, context);
    case "payment":
      return paymentMessages(history, step, fact, context);
    case "refund":
      return refundMessages(history, step, fact, context);
    case "refund_failure": {
      const failed = failedRefund(history, fact);
      if (failed === null) return [];
      const [number, refund] = failed;
      return refundMessages(history, number, { ...refund, fails: true }, context).slice(1);
    }
    case "dispute":
      return disputeMessages(history, step, fact, context);
  }
}

function event(
  id: string,
  type: string,
  object: StripeObject,
  when: { api_version: ApiVersion; created: number },
): Message {
  return { id, body: JSON.stringify(stripeEvent({ id, type, object, livemode: true, ...when })) };
}

function secondsOf({ at }: { at: number }, { start }: Names): number {
  return Math.floor((start + at) / 1000);
}

/** A session of a subscription, whose payments are those of its invoices. */
function checkoutMessages(history: History, step: number, fact: Checkout, context: Context): Message[] {
  const { api_version, clicks } = context;
  const created = secondsOf(fact, context);
  const { customer_id, email } = whoOf(history, fact);
  const [first, second] = fact.clicks.flatMap((click) => clicks[click] ?? []);
  const [code] = fact.codes;
  const session = sampleCheckoutSession(api_version, {
    id: `cs_${step}`,
    created,
    mode: "subscription",
    amount_subtotal: 1000,
    customer: customer_id,
    email,
    invoice: `in_of_checkout_${step}`,
    subscription: `sub_${step}`,
    promotion_code: code === undefined ? null : promotionCodeId(code),
    client_reference_id: first ?? null,
    metadata: second === undefined ? {} : { findersfee_click_id: second },
  });
  const completed = event(`evt_${step}`, "checkout.session.completed", session, { api_version, created });
  const has_discount = api_version === "2024-11-20.acacia" && code !== undefined && customer_id !== null;
  if (!has_discount) return [completed];
  const start = created + DISCOUNT_AFTER;
  const discount = sampleDiscount(api_version, {
    id: `di_${step}`,
    start,
    coupon: COUPON,
    promotion_code: promotionCodeId(code),
    customer: customer_id,
    checkout_session: `cs_${step}`,
    subscription: `sub_${step}`,
  });
  const when = { api_version, created: start };
  return [completed, event(`evt_${step}d`, "customer.discount.created", discount, when)];
}

function paymentMessages(history: History, step: number, fact: Payment, context: Context): Message[] {
  const { api_version } = context;
  const created = secondsOf(fact, context);
  const when = { api_version, created };
  const { customer_id, email } = whoOf(history, fact);
  const id = paymentId(history, fact.name);
  const { charge, payment_intent } = chargeOf(fact);
  const is_paid = fact.revenue > 0;
  const currency = fact.currency.toLowerCase();
  const metadata: Record<string, string> = fact.plan === null ? {} : { plan: fact.plan, other: "value" };
  if (fact.form !== "invoice") {
    const made = { created, amount: fact.revenue, currency, customer: customer_id, payment_intent };
    const object = { ...sampleCharge(api_version, { ...made, id: charge, email }), metadata };
    const charged = event(`evt_${step}`, "charge.succeeded", object, when);
    if (payment_intent === null) return [charged];
    const others = { id: payment_intent, receipt_email: email, latest_charge: charge };
    const intent = samplePaymentIntent(api_version, { ...made, ...others });
    return [charged, event(`evt_${step}i`, "payment_intent.succeeded", intent, when)];
  }
  const invoice = sampleInvoice(api_version, {
    id,
    created,
    currency,
    customer: customer_id,
    customer_email: email,
    lines: fact.lines.map((line, index) => ({ ...line, tax: index === 0 ? fact.tax : 0 })),
    billing_reason: fact.proration ? "subscription_update" : "subscription_cycle",
    metadata,
    ...(is_paid ? { charge, payment_intent } : {}),
  });
  const customer_address = fact.country === null ? null : { country: fact.country };
  const messages = [event(`evt_${step}`, "invoice.paid", { ...invoice, customer_address }, when)];
  if (is_paid && payment_intent !== null && api_version === "2026-10-28.endive") {
    const amount = fact.revenue + fact.tax;
    const link = { id: `inpay_${step}`, created, amount, currency, invoice: id, payment_intent };
    messages.push(event(`evt_${step}p`, "invoice_payment.paid", sampleInvoicePayment(link), when));
  }
  return messages;
}

function chargeOf({ name, form }: Payment) {
  return { charge: `ch_${name}`, payment_intent: form === "charge" ? null : `pi_${name}` };
}

function refundMessages(history: History, step: number, fact: Refund, context: Context): Message[] {
  const payment = paidPayment(history, fact.payment);
  if (payment === null) return [];
  const { api_version } = context;
  const created = secondsOf(fact, context);
  const refund = {
    id: `re_${step}`,
    created,
    amount: partOf(payment.revenue + payment.tax, fact.percent),
    currency: payment.currency.toLowerCase(),
    ...chargeOf(payment),
  };
  const messages = [
    event(`evt_${step}`, "refund.created", sampleRefund(api_version, refund), { api_version, created }),
  ];
  if (fact.fails) {
    const failed = sampleRefund(api_version, { ...refund, status: "failed" });
    const when = { api_version, created: created + FAILS_AFTER / 1000 };
    messages.push(event(`evt_${step}f`, "refund.failed", failed, when));
  }
  return messages;
}

const DISPUTE = {
  inquiry: { type: "created", status: "warning_needs_response" },
  open: { type: "created", status: "needs_response" },
  lost: { type: "closed", status: "lost" },
  won: { type: "closed", status: "won" },
} as const;

function disputeMessages(history: History, step: number, fact: Dispute, context: Context): Message[] {
  const payment = paidPayment(history, fact.payment);
  if (payment === null) return [];
  const { api_version } = context;
  const created = secondsOf(fact, context);
  const { type, status } = DISPUTE[fact.status];
  const object = sampleDispute(api_version, {
    id: `du_${step}`,
    created,
    amount: partOf(payment.revenue + payment.tax, fact.percent),
    currency: payment.currency.toLowerCase(),
    status,
    ...(fact.status === "inquiry" ? {} : { withdrawn_at: created }),
    ...(fact.status === "won" ? { reinstated_at: created + 1 } : {}),
    ...chargeOf(payment),
  });
  return [event(`evt_${step}`, `charge.dispute.${type}`, object, { api_version, created })];
}
