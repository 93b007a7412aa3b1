import type {
  AmountsFact,
  ChargeMade,
  CheckoutFact,
  CustomerFact,
  DisputeFact,
  LinkFact,
  PaymentMade,
  ProductsFact,
  RefundedTotal,
  RefundFact,
  SignUpFact,
  SubscriptionFact,
} from "../../src/attribution/facts/payment-fact.ts";
import { START } from "../dates.ts";

/** The moment this many seconds after the start of the tests' time. */
export function second(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

type Fields<Event> = Partial<Event> & { subject: string };

const state = { rank: 0, references: [], belongs_to: [] };
const nobody = { customer_id: null, email: null, promo_codes: [], click_ids: [] };

export function checkout(fields: Fields<CheckoutFact>): CheckoutFact {
  const at = fields.at ?? fields.opened_at ?? second(0);
  return { kind: "checkout", ...state, ...nobody, at, opened_at: at, ...fields };
}

export function customer(fields: Fields<CustomerFact> & { customer_id: string }): CustomerFact {
  const at = fields.at ?? second(0);
  return { kind: "customer", ...state, ...nobody, at, created_at: at, ...fields };
}

/** A sign-up that a page reported; the click's id contains its time. */
export function signUp({
  click_id,
  ...input
}: Partial<SignUpFact> & { click_id: string; email: string }): SignUpFact {
  const subject = `${click_id}:1`;
  return { kind: "signup", subject, ...state, ...nobody, at: second(0), click_ids: [click_id], ...input };
}

export function subscription(fields: Fields<SubscriptionFact>): SubscriptionFact {
  return { kind: "subscription", ...state, at: second(0), customer_id: null, status: "active", ...fields };
}

/** 100.00 USD by default. */
export function payment(fields: Fields<PaymentMade>): PaymentMade {
  const at = fields.at ?? fields.paid_at ?? second(0);
  const revenue_minor = fields.revenue_minor ?? 10_000n;
  return {
    kind: "payment",
    ...state,
    ...nobody,
    at,
    paid_at: at,
    currency: "USD",
    revenue_minor,
    paid_minor: revenue_minor,
    lines: [],
    ...fields,
  };
}

/** A payment intent of 100.00 USD by default, or a charge. */
export function charge(fields: Fields<ChargeMade>): ChargeMade {
  const at = fields.at ?? fields.paid_at ?? second(0);
  const of_payment = { payment_id: fields.subject, is_intent: fields.subject.startsWith("pi_") };
  const money = { currency: "USD", paid_minor: 10_000n };
  return { kind: "charge", ...state, ...nobody, ...of_payment, ...money, at, paid_at: at, ...fields };
}

export function refund(fields: Fields<RefundFact> & { amount_minor: bigint }): RefundFact {
  const at = fields.at ?? second(0);
  return { kind: "refund", ...state, at, since: at, until: null, ...fields };
}

export function dispute(fields: Fields<DisputeFact> & { amount_minor: bigint }): DisputeFact {
  const at = fields.at ?? second(0);
  return { kind: "dispute", ...state, at, since: at, until: null, ...fields };
}

export function refundedTotal(fields: Fields<RefundedTotal> & { amount_minor: bigint }): RefundedTotal {
  return { kind: "refunded_total", ...state, at: second(0), ...fields };
}

export function link(fields: Fields<LinkFact>): LinkFact {
  return { kind: "link", ...state, at: second(0), ...fields };
}

export function amounts(fields: Fields<AmountsFact>): AmountsFact {
  return { kind: "amounts", ...state, at: second(0), amounts: [], settled: null, ...fields };
}

export function products(fields: Fields<ProductsFact>): ProductsFact {
  return { kind: "products", ...state, at: second(0), weights: [], ...fields };
}
