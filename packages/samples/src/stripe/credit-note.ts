import { type ApiVersion, inVersion, listOf, type StripeObject } from "./api-version.ts";

export interface SampleCreditNote {
  id: string;
  created: number;
  currency?: string;
  customer: string;
  invoice: string;
  /** The amount that it took off the invoice before the payment. */
  pre_payment?: number;
  /** The amount refunded in Stripe, by this refund. */
  refunded?: { amount: number; refund: string };
  /** The amount of the customer's credit. */
  credited?: number;
  /** The amount refunded outside of Stripe. */
  out_of_band?: number;
  voided_at?: number;
}

/** A credit note without tax (https://docs.stripe.com/api/credit_notes/object). Version 2025-03-31.basil reshaped it. */
export function sampleCreditNote(api_version: ApiVersion, sample: SampleCreditNote): StripeObject {
  const { id, created, currency = "usd", pre_payment = 0, credited = 0, out_of_band = 0 } = sample;
  const post_payment = (sample.refunded?.amount ?? 0) + credited + out_of_band;
  const amount = pre_payment + post_payment;
  return {
    id,
    object: "credit_note",
    amount,
    amount_shipping: 0,
    created,
    currency,
    customer: sample.customer,
    customer_balance_transaction: credited === 0 ? null : `cbtxn_${id.slice(3)}`,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: created,
    invoice: sample.invoice,
    lines: listOf([], `/v1/credit_notes/${id}/lines`),
    livemode: false,
    memo: null,
    metadata: {},
    number: "A1B2C3D4-0001-CN-01",
    out_of_band_amount: out_of_band === 0 ? null : out_of_band,
    pdf: "https://pay.stripe.com/credit_notes/example/pdf",
    pretax_credit_amounts: [],
    reason: "order_change",
    shipping_cost: null,
    status: sample.voided_at === undefined ? "issued" : "void",
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    type: pre_payment > 0 ? "pre_payment" : "post_payment",
    voided_at: sample.voided_at ?? null,
    ...inVersion<Record<string, unknown>>(api_version, {
      "2026-10-28.endive": {
        customer_account: null,
        post_payment_amount: post_payment,
        pre_payment_amount: pre_payment,
        refunds: refundsOf(sample),
        total_taxes: [],
      },
      "2024-11-20.acacia": { refund: sample.refunded?.refund ?? null, tax_amounts: [] },
    }),
  };
}

function refundsOf({ refunded }: SampleCreditNote) {
  if (refunded === undefined) return [];
  const { amount, refund } = refunded;
  return [{ amount_refunded: amount, payment_record_refund: null, refund, type: "refund" }];
}
