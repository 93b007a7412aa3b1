import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SampleCharge {
  id: string;
  created: number;
  amount: number;
  amount_refunded?: number;
  currency?: string;
  customer?: string | null;
  email?: string | null;
  /** The invoice that it pays: a field until 2025-02-24.acacia. */
  invoice?: string | null;
  payment_intent: string | null;
}

const DEFAULTS = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  description: "Subscription update",
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  receipt_email: null,
  receipt_number: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};

const card = {
  amount_authorized: null,
  authorization_code: null,
  brand: "visa",
  checks: { address_line1_check: null, address_postal_code_check: "pass", cvc_check: "pass" },
  country: "US",
  exp_month: 8,
  exp_year: 2030,
  fingerprint: "mToisGZ01V71BCos",
  funding: "credit",
  installments: null,
  last4: "4242",
  mandate: null,
  network: "visa",
  network_transaction_id: "104102978678771",
  three_d_secure: null,
  wallet: null,
};

const address = { city: null, country: "US", line1: null, line2: null, postal_code: "10001", state: null };

/**
 * https://docs.stripe.com/api/charges/object: until 2025-02-24.acacia it names its invoice. Its refunds are
 * in events only before 2022-11-15.
 */
export function sampleCharge(api_version: ApiVersion, sample: SampleCharge): StripeObject {
  const { id, created, amount, amount_refunded = 0, currency = "usd", email = null } = sample;
  const billing = { address, email, name: "Jenny Rosen", phone: null };
  const moved = inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": { billing_details: { ...billing, tax_id: null } },
    "2024-11-20.acacia": { billing_details: billing, invoice: sample.invoice ?? null },
  });
  return {
    id,
    object: "charge",
    ...DEFAULTS,
    amount,
    amount_captured: amount,
    amount_refunded,
    balance_transaction: `txn_${id.slice(3)}`,
    calculated_statement_descriptor: "EXAMPLE.COM",
    captured: true,
    created,
    currency,
    customer: sample.customer ?? null,
    outcome: {
      network_status: "approved_by_network",
      reason: null,
      risk_level: "normal",
      risk_score: 12,
      seller_message: "Payment complete.",
      type: "authorized",
    },
    paid: true,
    payment_intent: sample.payment_intent,
    payment_method: "pm_1Qb2C3D4E5F6G7H8",
    payment_method_details: { card, type: "card" },
    radar_options: {},
    receipt_url: "https://pay.stripe.com/receipts/payment/example",
    refunded: amount_refunded === amount,
    status: "succeeded",
    ...moved,
  };
}
