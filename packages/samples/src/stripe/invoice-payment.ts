import type { StripeObject } from "./api-version.ts";

export interface SampleInvoicePayment {
  id: string;
  created: number;
  amount: number;
  currency?: string;
  invoice: string;
  payment_intent: string;
}

/** An invoice payment (https://docs.stripe.com/api/invoice-payment/object), which exists since 2025-03-31.basil. */
export function sampleInvoicePayment(sample: SampleInvoicePayment): StripeObject {
  const { id, created, amount, currency = "usd", invoice, payment_intent } = sample;
  return {
    id,
    object: "invoice_payment",
    amount_paid: amount,
    amount_requested: amount,
    created,
    currency,
    invoice,
    is_default: true,
    livemode: false,
    payment: { payment_intent, type: "payment_intent" },
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: created },
  };
}
