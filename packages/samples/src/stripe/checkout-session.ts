import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SampleCheckoutSession {
  id: string;
  created: number;
  mode: "payment" | "setup" | "subscription";
  payment_status?: "no_payment_required" | "paid" | "unpaid";
  currency?: string;
  /** Before discounts and tax. */
  amount_subtotal: number;
  amount_discount?: number;
  amount_tax?: number;
  customer?: string | null;
  email: string | null;
  invoice?: string | null;
  payment_intent?: string | null;
  subscription?: string | null;
  /** A field since 2025-01-27.acacia. */
  promotion_code?: string | null;
  client_reference_id?: string | null;
  /** Whether Stripe creates an invoice after a one-time payment. */
  invoice_creation?: boolean;
  metadata?: Record<string, string>;
}

const DEFAULTS = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  billing_address_collection: null,
  cancel_url: "https://example.com/cancel",
  client_secret: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  livemode: false,
  locale: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: "automatic" } },
  payment_method_types: ["card"],
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: "complete",
  submit_type: null,
  success_url: "https://example.com/success",
  url: null,
};

/** A completed checkout session (https://docs.stripe.com/api/checkout/sessions/object). */
export function sampleCheckoutSession(api_version: ApiVersion, sample: SampleCheckoutSession): StripeObject {
  const { id, created, mode, amount_subtotal, amount_discount = 0, amount_tax = 0 } = sample;
  const amount_total = amount_subtotal - amount_discount + amount_tax;
  return {
    id,
    object: "checkout.session",
    ...DEFAULTS,
    allow_promotion_codes: true,
    amount_subtotal,
    amount_total,
    client_reference_id: sample.client_reference_id ?? null,
    created,
    currency: sample.currency ?? "usd",
    customer: sample.customer ?? null,
    customer_creation: mode === "payment" ? "if_required" : "always",
    customer_email: null,
    expires_at: created + 86_400,
    invoice: sample.invoice ?? null,
    invoice_creation: mode === "payment" ? invoiceCreationOf(sample) : null,
    metadata: sample.metadata ?? {},
    mode,
    payment_intent: sample.payment_intent ?? null,
    payment_status: sample.payment_status ?? (amount_total === 0 ? "no_payment_required" : "paid"),
    subscription: sample.subscription ?? null,
    total_details: { amount_discount, amount_shipping: 0, amount_tax },
    ...inVersion<() => Record<string, unknown>>(api_version, {
      "2026-10-28.endive": () => currentFields(sample),
      "2024-11-20.acacia": () => formerFields(sample),
    })(),
  };
}

function invoiceCreationOf({ invoice_creation = false }: SampleCheckoutSession) {
  return {
    enabled: invoice_creation,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: null,
      metadata: {},
      rendering_options: null,
    },
  };
}

function customerDetailsOf({ email }: SampleCheckoutSession) {
  return { address: null, email, name: null, phone: null, tax_exempt: "none", tax_ids: [] };
}

function currentFields(sample: SampleCheckoutSession) {
  const { promotion_code = null } = sample;
  return {
    allowed_payment_method_types: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    customer_account: null,
    customer_details: { ...customerDetailsOf(sample), business_name: null, individual_name: null },
    discounts: promotion_code === null ? [] : [{ coupon: null, promotion_code }],
    integration_identifier: null,
    managed_payments: null,
    origin_context: null,
    permissions: null,
    ui_mode: "hosted_page",
    wallet_options: null,
  };
}

function formerFields(sample: SampleCheckoutSession) {
  return {
    automatic_tax: { enabled: false, liability: null, status: null },
    customer_details: customerDetailsOf(sample),
    shipping_details: null,
    ui_mode: "hosted",
  };
}
