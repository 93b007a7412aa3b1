import { z } from "zod";
import { read } from "../not-understood.ts";
import type { CheckoutEvent, PaymentEvent, PaymentMade } from "../payment-event.ts";
import { OBJECT, type StripeEvent } from "./event.ts";
import {
  amount,
  anything,
  clickIdsOf,
  currency,
  discount,
  email,
  id,
  idsOf,
  optionalDiscount,
  optionalReference,
  promoCodesOf,
  time,
} from "./fields.ts";
import { minorUnits } from "./minor-units.ts";
import { netAmount } from "./net-amount.ts";

/** https://docs.stripe.com/api/checkout/sessions/object */
const sessionSchema = z.object({
  id,
  created: time,
  mode: z.enum(["payment", "setup", "subscription"]),
  payment_status: z.enum(["no_payment_required", "paid", "unpaid"]),
  customer: optionalReference,
  customer_details: z.object({ email }).nullish(),
  customer_email: email,
  client_reference_id: anything,
  metadata: anything,
  invoice: optionalReference,
  // Where invoices are made of one-time payments, that happens after the checkout, which may not name it yet.
  invoice_creation: z.object({ enabled: z.boolean() }).nullish(),
  payment_intent: optionalReference,
  subscription: optionalReference,
  // Since 2025-01-27.acacia; before, only the breakdown tells, and only where it is expanded.
  discounts: z.array(discount).nullish(),
  total_details: z
    .object({
      breakdown: z.object({ discounts: z.array(z.object({ discount: optionalDiscount })) }).nullish(),
    })
    .nullish(),
});

type Session = z.output<typeof sessionSchema>;

/** What a session has that was paid. */
const paidSchema = z.object({
  currency,
  amount_total: amount,
  total_details: z.object({ amount_tax: amount }),
});

/**
 * A checkout that was completed. A payment, too, if it was paid at once and by no invoice: what has an
 * invoice is told of by the invoice, and what is unpaid yet by a later event.
 */
export function readCheckout(event: StripeEvent): PaymentEvent[] {
  const session = read(sessionSchema, event.object, OBJECT);
  const has_invoice = session.invoice !== null || session.invoice_creation?.enabled === true;
  const is_payment = session.mode === "payment" && session.payment_status === "paid" && !has_invoice;
  return [checkoutOf(session, event), ...(is_payment ? [paymentOf(session, event)] : [])];
}

/** A payment that takes days is completed first, and succeeds or fails afterwards. */
function stateOf({ type, at }: StripeEvent) {
  return { at, rank: type === "checkout.session.completed" ? 0 : 1 };
}

function checkoutOf(session: Session, event: StripeEvent): CheckoutEvent {
  return {
    kind: "checkout",
    subject: session.id,
    ...stateOf(event),
    references: idsOf(session.invoice, session.payment_intent),
    belongs_to: idsOf(session.subscription),
    ...customerOf(session),
    opened_at: session.created,
  };
}

function paymentOf(session: Session, event: StripeEvent): PaymentMade {
  const paid = read(paidSchema, event.object, OBJECT);
  const { currency, amount_total } = paid;
  const paid_minor = minorUnits({ amount: amount_total, currency, path: `${OBJECT}.amount_total` });
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
    // Events do not carry the session's line items.
    lines: [],
  };
}

function customerOf(session: Session) {
  const breakdown = session.total_details?.breakdown?.discounts ?? [];
  return {
    customer_id: session.customer,
    email: session.customer_details?.email ?? session.customer_email,
    promo_codes: promoCodesOf([...(session.discounts ?? []), ...breakdown.map((one) => one.discount)]),
    click_ids: clickIdsOf({ values: [session.client_reference_id], metadata: [session.metadata] }),
  };
}
