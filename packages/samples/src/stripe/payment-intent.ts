import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SamplePaymentIntent {
  id: string;
  created: number;
  amount: number;
  currency?: string;
  customer?: string | null;
  receipt_email?: string | null;
  latest_charge: string | null;
  /** The invoice that it pays. A field until 2025-02-24.acacia; since then, the `order_reference`. */
  invoice?: string | null;
  /** The checkout session that it pays: the `order_reference` after 2025-02-24.acacia; no field before. */
  checkout_session?: string | null;
  metadata?: Record<string, string>;
}

const DEFAULTS = {
  amount_capturable: 0,
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: "automatic",
  confirmation_method: "automatic",
  description: null,
  last_payment_error: null,
  livemode: false,
  next_action: null,
  on_behalf_of: null,
  payment_method: "pm_1Qb2C3D4E5F6G7H8",
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ["card"],
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};

/** A succeeded payment intent (https://docs.stripe.com/api/payment_intents/object). */
export function samplePaymentIntent(api_version: ApiVersion, sample: SamplePaymentIntent): StripeObject {
  const { id, created, amount, currency = "usd", customer = null, receipt_email = null } = sample;
  const { invoice = null, checkout_session = null, latest_charge, metadata = {} } = sample;
  const order_reference = invoice ?? checkout_session;
  const versioned = inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {
      allowed_payment_method_types: null,
      customer_account: null,
      excluded_payment_method_types: null,
      managed_payments: null,
      payment_details: { customer_reference: null, order_reference },
      payment_record: null,
    },
    "2024-11-20.acacia": { invoice },
  });
  return {
    id,
    object: "payment_intent",
    ...DEFAULTS,
    amount,
    amount_received: amount,
    client_secret: `${id}_secret`,
    created,
    currency,
    customer,
    latest_charge,
    metadata,
    receipt_email,
    status: "succeeded",
    ...versioned,
  };
}
