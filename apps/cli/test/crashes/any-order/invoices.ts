import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import type { SampleDiscount } from "@findersfee/samples/stripe/discount";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import type { SampleLine } from "@findersfee/samples/stripe/invoice-line";
import { sampleInvoicePayment } from "@findersfee/samples/stripe/invoice-payment";
import { reportCharges } from "./charges.ts";
import type { Payer } from "./payer.ts";
import { type Paid, reverse } from "./refunds.ts";
import type { Timeline } from "./timeline.ts";

export interface Invoice {
  id?: string;
  lines: SampleLine[];
  at: number;
  subscription: string | null;
  payment_intent?: string;
  /** The customer's earlier balance: a credit below zero, a debt above. */
  balance?: number;
  discount?: SampleDiscount | null;
  reason: string;
  metadata?: Record<string, string>;
}

/** A paid invoice with its payment's events; returns the balance afterwards. */
export function payInvoice(timeline: Timeline, payer: Payer, invoice: Invoice): number {
  const { random } = timeline;
  const { api_version, currency, customer, email } = payer;
  const { id = timeline.id("in"), at, lines, balance = 0, metadata = {} } = invoice;
  const [charge, payment_intent] = [timeline.id("ch"), invoice.payment_intent ?? timeline.id("pi")];
  const bare = { id, created: at, currency, customer, lines, starting_balance: balance };
  const { amount_paid, ending_balance } = sumsOf(sampleInvoice(api_version, bare));
  const is_paid = amount_paid > 0;
  const object = sampleInvoice(api_version, {
    ...bare,
    customer_email: random.chance(0.8) ? someCase(email, timeline) : null,
    subscription: invoice.subscription,
    discount: invoice.discount ?? null,
    billing_reason: invoice.reason,
    charge: is_paid ? charge : null,
    payment_intent: is_paid ? payment_intent : null,
    metadata,
  });
  const when = { at: at + random.pick([0, 1]), api_version };
  const types = random.pick([["invoice.paid"], ["invoice.payment_succeeded", "invoice.paid"]]);
  for (const type of types) timeline.report(type, object, when);
  if (!is_paid) return ending_balance;
  if (api_version === "2026-10-28.endive") {
    const payment = { id: timeline.id("inpay"), created: at, amount: amount_paid, currency };
    const link = sampleInvoicePayment({ ...payment, invoice: id, payment_intent });
    timeline.report("invoice_payment.paid", link, when);
  }
  const paid: Paid = { amount: amount_paid, at: when.at, charge, payment_intent, invoice: id };
  reportCharges(timeline, payer, paid);
  reverse(timeline, payer, paid);
  return ending_balance;
}

function sumsOf({ amount_paid, ending_balance }: StripeObject) {
  return { amount_paid: Number(amount_paid), ending_balance: Number(ending_balance) };
}

/** Customers vary the spelling of their addresses. */
export function someCase(email: string, { random }: Timeline): string {
  return random.chance(0.15) ? email.toUpperCase() : email;
}
