import { z } from "zod";
import type {
  CheckoutFact,
  HiddenDiscounts,
  LinkFact,
  Money,
  PaymentFact,
  PaymentMade,
} from "../../attribution/facts/payment-fact.ts";
import { read } from "../unsupported.ts";
import {
  amount,
  anything,
  clickIdsOf,
  countryOf,
  currency,
  discount,
  email,
  id,
  idsOf,
  metadataOf,
  minorUnits,
  netAmount,
  OBJECT,
  optionalDiscount,
  optionalReference,
  promoCodesOf,
  type StripeEvent,
  time,
} from "./fields.ts";

/** https://docs.stripe.com/api/checkout/sessions/object */
const sessionSchema = z.object({
  id,
  created: time,
  mode: z.enum(["payment", "setup", "subscription"]),
  amount_total: amount.nullish(),
  payment_status: z.enum(["no_payment_required", "paid", "unpaid"]),
  customer: optionalReference,
  customer_details: z.object({ email, address: anything }).nullish(),
  customer_email: email,
  client_reference_id: anything,
  metadata: anything,
  invoice: optionalReference,
  // Where invoices are created for one-time payments, that happens after the checkout, which may not name the invoice
  // yet.
  invoice_creation: z.object({ enabled: z.boolean() }).nullish(),
  payment_intent: optionalReference,
  subscription: optionalReference,
  // Since 2025-01-27.acacia. Before, only the breakdown has them, and only if it is expanded.
  discounts: z.array(discount).nullish(),
  total_details: z
    .object({
      amount_discount: amount.nullish(),
      breakdown: z.object({ discounts: z.array(z.object({ discount: optionalDiscount })) }).nullish(),
    })
    .nullish(),
});

type Session = z.output<typeof sessionSchema>;

/** The fields of a paid session. */
const paidSchema = z.object({
  currency,
  amount_total: amount,
  total_details: z.object({ amount_tax: amount }),
  // Adaptive Pricing: the session is in the merchant's currency, and these are the amounts that the customer saw.
  presentment_details: z.object({ presentment_amount: amount, presentment_currency: currency }).nullish(),
  // The same for sessions from before 2025-03-31, which are in the customer's currency.
  currency_conversion: z.object({ amount_total: amount, source_currency: currency }).nullish(),
});

/**
 * A completed checkout. It is also a payment if it was paid at once and without an invoice: the invoice reports a
 * payment with an invoice, and a later event reports a delayed one.
 */
export function readCheckout(event: StripeEvent): PaymentFact[] {
  const session = read(sessionSchema, event.object, OBJECT);
  const has_invoice = session.invoice !== null || session.invoice_creation?.enabled === true;
  const counts = session.mode === "payment" && isPaid(session) && !has_invoice;
  const payments = counts ? [paymentOf(session, event)] : [];
  const links = has_invoice && session.payment_intent !== null ? [invoiceLinkOf(session, event)] : [];
  return [checkoutOf(session, event), ...payments, ...links];
}

/** Whether nothing is left to pay. A free checkout is a payment of zero, so that it has a decision, too. */
function isPaid({ payment_status, amount_total }: Session): boolean {
  return payment_status === "paid" || (payment_status === "no_payment_required" && amount_total === 0);
}

/** A delayed payment completes first, and succeeds or fails later. */
function stateOf({ type, at }: StripeEvent) {
  return { at, rank: type === "checkout.session.completed" ? 0 : 1 };
}

function checkoutOf(session: Session, event: StripeEvent): CheckoutFact {
  return {
    kind: "checkout",
    subject: session.id,
    ...stateOf(event),
    references: idsOf(session.invoice, session.payment_intent),
    belongs_to: idsOf(session.subscription),
    ...customerOf(session),
    hidden_discounts: hiddenDiscountsOf(session),
    opened_at: session.created,
  };
}

/** Whether an invoice reports the payment. The session may not name it yet. */
function invoiceLinkOf(session: Session, event: StripeEvent): LinkFact {
  const references = idsOf(session.invoice, session.payment_intent);
  return {
    kind: "link",
    subject: session.id,
    ...stateOf(event),
    references,
    belongs_to: [],
    has_report: true,
  };
}

function paymentOf(session: Session, event: StripeEvent): PaymentMade {
  const paid = read(paidSchema, event.object, OBJECT);
  const { amount_total } = paid;
  const { amount_minor: paid_minor, currency, presented } = paidBy(paid);
  const total_excluding_tax = amount_total - paid.total_details.amount_tax;
  return {
    kind: "payment",
    subject: session.payment_intent ?? session.id,
    ...stateOf(event),
    references: [],
    belongs_to: session.payment_intent === null ? [] : [session.id],
    ...customerOf(session),
    paid_at: event.at,
    currency,
    revenue_minor: netAmount(paid_minor, { total: amount_total, total_excluding_tax }),
    paid_minor,
    presented,
    // Events do not carry the session's line items.
    lines: [],
    lines_at: session.id,
  };
}

/** Before 2025-01-27.acacia, an event has the discounted amount, but not the discounts. */
function hiddenDiscountsOf({ id, discounts, total_details }: Session): HiddenDiscounts | undefined {
  const is_told = discounts || total_details?.breakdown;
  if (is_told || !total_details?.amount_discount) return undefined;
  return { object_id: id, reported_by: [discountsSubject(id)] };
}

/** The subject under which a fetched session reports its discounts. */
export function discountsSubject(session_id: string): string {
  return `${session_id}:discounts`;
}

/** The amount paid in the merchant's currency, and in the customer's if Adaptive Pricing changed it. */
function paidBy(paid: z.output<typeof paidSchema>): Money & { presented: Money | undefined } {
  const { presentment_details: presentment, currency_conversion: conversion } = paid;
  const total = money(paid.amount_total, paid.currency, "amount_total");
  if (conversion) {
    const { amount_total, source_currency } = conversion;
    const source = money(amount_total, source_currency, "currency_conversion.amount_total");
    return { ...source, presented: total };
  }
  if (!presentment) return { ...total, presented: undefined };
  const { presentment_amount, presentment_currency } = presentment;
  const path = "presentment_details.presentment_amount";
  return { ...total, presented: money(presentment_amount, presentment_currency, path) };
}

function money(amount: number, currency: string, path: string): Money {
  return { currency, amount_minor: minorUnits({ amount, currency, path: `${OBJECT}.${path}` }) };
}

function customerOf(session: Session) {
  const breakdown = session.total_details?.breakdown?.discounts ?? [];
  return {
    customer_id: session.customer,
    email: session.customer_details?.email ?? session.customer_email,
    promo_codes: promoCodesOf([...(session.discounts ?? []), ...breakdown.map((item) => item.discount)]),
    ...countryOf(session.customer_details?.address),
    click_ids: clickIdsOf({ reference: session.client_reference_id, metadata: [session.metadata] }),
    ...metadataOf(session.metadata),
  };
}
