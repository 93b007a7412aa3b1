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

/** The moment this many seconds after the start of 2026. */
export function second(seconds: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
}

type Said<Event> = Partial<Event> & { subject: string };

const state = { rank: 0, references: [], belongs_to: [] };
const nobody = { customer_id: null, email: null, promo_codes: [], click_ids: [] };

export function checkout(said: Said<CheckoutFact>): CheckoutFact {
  const at = said.at ?? said.opened_at ?? second(0);
  return { kind: "checkout", ...state, ...nobody, at, opened_at: at, ...said };
}

export function customer(said: Said<CustomerFact> & { customer_id: string }): CustomerFact {
  const at = said.at ?? second(0);
  return { kind: "customer", ...state, ...nobody, at, created_at: at, ...said };
}

/** A sign-up that a page reported; the click's id contains its time. */
export function signUp({
  click_id,
  ...input
}: Partial<SignUpFact> & { click_id: string; email: string }): SignUpFact {
  const subject = `${click_id}:1`;
  return { kind: "signup", subject, ...state, ...nobody, at: second(0), click_ids: [click_id], ...input };
}

export function subscription(said: Said<SubscriptionFact>): SubscriptionFact {
  return { kind: "subscription", ...state, at: second(0), customer_id: null, status: "active", ...said };
}

/** 100.00 USD by default. */
export function payment(said: Said<PaymentMade>): PaymentMade {
  const at = said.at ?? said.paid_at ?? second(0);
  const revenue_minor = said.revenue_minor ?? 10_000n;
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
    ...said,
  };
}

/** A payment intent of 100.00 USD by default, or a charge. */
export function charge(said: Said<ChargeMade>): ChargeMade {
  const at = said.at ?? said.paid_at ?? second(0);
  const of_payment = { payment_id: said.subject, is_intent: said.subject.startsWith("pi_") };
  const money = { currency: "USD", paid_minor: 10_000n };
  return { kind: "charge", ...state, ...nobody, ...of_payment, ...money, at, paid_at: at, ...said };
}

export function refund(said: Said<RefundFact> & { amount_minor: bigint }): RefundFact {
  const at = said.at ?? second(0);
  return { kind: "refund", ...state, at, since: at, until: null, ...said };
}

export function dispute(said: Said<DisputeFact> & { amount_minor: bigint }): DisputeFact {
  const at = said.at ?? second(0);
  return { kind: "dispute", ...state, at, since: at, until: null, ...said };
}

export function refundedTotal(said: Said<RefundedTotal> & { amount_minor: bigint }): RefundedTotal {
  return { kind: "refunded_total", ...state, at: second(0), ...said };
}

export function link(said: Said<LinkFact>): LinkFact {
  return { kind: "link", ...state, at: second(0), ...said };
}

export function amounts(said: Said<AmountsFact>): AmountsFact {
  return { kind: "amounts", ...state, at: second(0), amounts: [], settled: null, ...said };
}

export function products(said: Said<ProductsFact>): ProductsFact {
  return { kind: "products", ...state, at: second(0), weights: [], ...said };
}
