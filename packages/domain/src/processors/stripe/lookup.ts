import { z } from "zod";
import type {
  AmountsFact,
  CheckoutFact,
  LinkFact,
  Money,
  PaymentFact,
  ProductsFact,
  UsedPromoCode,
} from "../../attribution/facts/payment-fact.ts";
import { addUp } from "../../attribution/facts/products.ts";
import { read } from "../unsupported.ts";
import { discountsSubject } from "./checkout.ts";
import {
  amount,
  anything,
  billing,
  cardOf,
  currency,
  discount,
  id,
  idsOf,
  intervalOf,
  minorUnits,
  OBJECT,
  optionalReference,
  promoCodesOf,
  type Reader,
  reference,
  type StripeEvent,
  time,
} from "./fields.ts";
import { linesSchema, weightsByProduct } from "./invoice.ts";
import { checkPromotionCode } from "./promotion-code.ts";

/*
 * Responses of Stripe's API, which the worker stores as messages of these types with the response as `data.object`.
 * They add the data that events omit and repeat nothing that events report, because an object is fetched later than its
 * event, in its state at that time.
 */

/** Stripe's objects are fetched in the API version of its library. */
export const lookup_types = {
  checkout_session: "lookup.checkout_session",
  invoice: "lookup.invoice",
  payment: "lookup.payment",
  promotion_code: "lookup.promotion_code",
} as const;

export type LookupType = (typeof lookup_types)[keyof typeof lookup_types];

const shipping = z.object({ amount_tax: amount, amount_total: amount }).nullish();

const sessionSchema = z.object({
  id,
  created: time,
  customer: optionalReference,
  discounts: z.array(discount).nullish(),
  invoice: optionalReference,
  line_items: z.object({
    data: z.array(
      z.object({
        amount_tax: amount,
        amount_total: amount,
        price: z.object({ product: optionalReference, ...billing }).nullish(),
      }),
    ),
  }),
  payment_intent: optionalReference,
  shipping_cost: shipping,
  subscription: optionalReference,
});

/** A checkout session with all of its line items and its discounts. */
function readSession({ at, object }: StripeEvent): PaymentFact[] {
  const session = read(sessionSchema, object, OBJECT);
  const { line_items, shipping_cost, payment_intent, invoice } = session;
  const weights: ProductsFact["weights"] = line_items.data.map(({ price, amount_total, amount_tax }) => ({
    product_id: price?.product ?? null,
    weight: BigInt(amount_total - amount_tax),
    ...intervalOf(price),
  }));
  if (shipping_cost) {
    const { amount_total, amount_tax } = shipping_cost;
    weights.push({ product_id: null, weight: BigInt(amount_total - amount_tax) });
  }
  const products: ProductsFact = {
    kind: "products",
    subject: session.id,
    at,
    rank: 0,
    references: [payment_intent ?? session.id],
    belongs_to: [],
    weights: addUp(weights),
  };
  const discounts: CheckoutFact = {
    kind: "checkout",
    subject: discountsSubject(session.id),
    at,
    rank: 0,
    references: idsOf(invoice, payment_intent),
    belongs_to: idsOf(session.id, session.subscription),
    customer_id: session.customer,
    email: null,
    promo_codes: promoCodesOf(session.discounts ?? []),
    click_ids: [],
    opened_at: session.created,
    is_discount: true,
  };
  return [products, discounts];
}

const redeemedSchema = z.object({
  id,
  start: time,
  subscription: optionalReference,
  checkout_session: optionalReference,
});

const invoicePayments = z.array(
  z.object({ id, payment: z.object({ charge: optionalReference, payment_intent: optionalReference }) }),
);

const invoiceSchema = z.object({
  id,
  customer: optionalReference,
  discounts: z.array(z.unknown()).nullish(),
  lines: linesSchema.extend({
    data: z.array(linesSchema.shape.data.element.extend({ discounts: z.array(z.unknown()).nullish() })),
  }),
  payments: z.object({ data: invoicePayments }).nullish(),
  shipping_cost: shipping,
});

/** An invoice with all of its lines, its discounts and its payments. */
function readInvoice({ at, object }: StripeEvent): PaymentFact[] {
  const invoice = read(invoiceSchema, object, OBJECT);
  const { shipping_cost } = invoice;
  const net_shipping = shipping_cost ? shipping_cost.amount_total - shipping_cost.amount_tax : 0;
  const lines = { ...invoice.lines, data: invoice.lines.data.map((line) => ({ ...line, discounts: null })) };
  const products: ProductsFact = {
    kind: "products",
    subject: invoice.id,
    at,
    rank: 0,
    references: [invoice.id],
    belongs_to: [],
    weights: weightsByProduct({ lines, shipping: net_shipping }),
  };
  const discounts = [
    ...(invoice.discounts ?? []),
    ...invoice.lines.data.flatMap((line) => line.discounts ?? []),
  ];
  const links = (invoice.payments?.data ?? []).map(({ id, payment }): LinkFact => {
    const references = idsOf(invoice.id, payment.payment_intent, payment.charge);
    return { kind: "link", subject: id, at, rank: 0, references, belongs_to: [], has_report: true };
  });
  return [products, ...discounts.map((discount) => discountOf(discount, invoice)), ...links];
}

/** A discount without a promotion code counts as known, too, so that it is not fetched again. */
function discountOf(object: unknown, invoice: { id: string; customer: string | null }): CheckoutFact {
  const path = `${OBJECT}.discounts`;
  const redeemed = read(redeemedSchema, object, path);
  const used: UsedPromoCode | null = read(discount, object, path);
  return {
    kind: "checkout",
    subject: redeemed.id,
    at: redeemed.start,
    rank: 0,
    references: [],
    belongs_to: idsOf(redeemed.checkout_session, redeemed.subscription),
    customer_id: invoice.customer,
    email: null,
    promo_codes: used === null ? [] : [used],
    click_ids: [],
    opened_at: redeemed.start,
    is_discount: true,
  };
}

const balanceSchema = z.object({ amount, currency });

const paymentSchema = z.object({
  id,
  charge: z
    .object({
      id,
      amount,
      currency,
      payment_method_details: anything,
      balance_transaction: z.union([id, balanceSchema]).nullish(),
      presentment_details: z.object({ presentment_amount: amount, presentment_currency: currency }).nullish(),
    })
    .nullish(),
  payment_intent: optionalReference,
  invoice_payments: z.array(
    z.object({
      id,
      invoice: reference,
      payment: z.object({ charge: optionalReference, payment_intent: optionalReference }),
    }),
  ),
});

/** A payment intent or charge, with its charge and the invoices that it paid. */
function readPayment({ at, object }: StripeEvent): PaymentFact[] {
  const payment = read(paymentSchema, object, OBJECT);
  const { charge, payment_intent, invoice_payments } = payment;
  const links = invoice_payments.map(({ id, invoice, payment }): LinkFact => {
    const references = idsOf(invoice, payment.payment_intent, payment.charge);
    return { kind: "link", subject: id, at, rank: 0, references, belongs_to: [], has_report: true };
  });
  if (!charge) return links;
  const { balance_transaction } = charge;
  const path = `${OBJECT}.charge`;
  const presented = charge.presentment_details;
  const amounts: AmountsFact = {
    kind: "amounts",
    subject: charge.id,
    at,
    rank: 0,
    references: idsOf(payment_intent),
    belongs_to: [],
    amounts: [
      moneyOf(charge.amount, charge.currency, `${path}.amount`),
      ...(presented
        ? [
            moneyOf(
              presented.presentment_amount,
              presented.presentment_currency,
              `${path}.presentment_details.presentment_amount`,
            ),
          ]
        : []),
    ],
    settled:
      balance_transaction && typeof balance_transaction === "object"
        ? moneyOf(
            balance_transaction.amount,
            balance_transaction.currency,
            `${path}.balance_transaction.amount`,
          )
        : null,
    ...cardOf(charge.payment_method_details),
  };
  return [...links, amounts];
}

function moneyOf(amount: number, currency: string, path: string): Money {
  return { currency, amount_minor: minorUnits({ amount, currency, path }) };
}

export const lookup_readers: Record<LookupType, Reader> = {
  "lookup.checkout_session": readSession,
  "lookup.invoice": readInvoice,
  "lookup.payment": readPayment,
  "lookup.promotion_code": checkPromotionCode,
};
