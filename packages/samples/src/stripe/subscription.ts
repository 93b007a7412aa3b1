import { type ApiVersion, inVersion, listOf, type StripeObject } from "./api-version.ts";
import { type SamplePrice, samplePlan, samplePrice } from "./price.ts";

export interface SampleSubscription {
  id: string;
  created: number;
  customer: string;
  status: string;
  price: Omit<SamplePrice, "created" | "currency">;
  currency?: string;
  latest_invoice?: string | null;
  canceled_at?: number | null;
  trial_end?: number | null;
  metadata?: Record<string, string>;
}

/** Seconds of a billing period. */
const PERIOD = 30 * 86_400;

const DEFAULTS = {
  application: null,
  application_fee_percent: null,
  billing_cycle_anchor_config: null,
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  collection_method: "charge_automatically",
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  livemode: false,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
};

/**
 * https://docs.stripe.com/api/subscriptions/object: since 2025-03-31.basil the current period is that of each
 * item.
 */
export function sampleSubscription(api_version: ApiVersion, sample: SampleSubscription): StripeObject {
  const { id, created, customer, status, currency = "usd", trial_end = null } = sample;
  return {
    id,
    object: "subscription",
    ...DEFAULTS,
    billing_cycle_anchor: created,
    canceled_at: sample.canceled_at ?? null,
    created,
    currency,
    customer,
    default_payment_method: "pm_1Qb2C3D4E5F6G7H8",
    ended_at: status === "canceled" ? (sample.canceled_at ?? null) : null,
    items: listOf([itemOf(api_version, sample)], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: sample.latest_invoice ?? null,
    metadata: sample.metadata ?? {},
    start_date: created,
    status,
    trial_end,
    trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
    trial_start: trial_end === null ? null : created,
    ...movedFields(api_version, sample),
  };
}

function movedFields(api_version: ApiVersion, { created, status }: SampleSubscription) {
  const cancellation = {
    comment: null,
    feedback: null,
    reason: status === "canceled" ? "cancellation_requested" : null,
  };
  const payment = {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: "off",
  };
  return inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_mode: { flexible: null, type: "classic" },
      billing_schedules: [],
      cancellation_details: { ...cancellation, feedback_option: null },
      customer_account: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      managed_payments: null,
      payment_settings: payment,
    },
    "2024-11-20.acacia": {
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      cancellation_details: cancellation,
      current_period_end: created + PERIOD,
      current_period_start: created,
      discount: null,
      invoice_settings: { account_tax_ids: null, issuer: { type: "self" } },
      payment_settings: payment,
    },
  });
}

function itemOf(api_version: ApiVersion, sample: SampleSubscription): StripeObject {
  const { id, created, currency = "usd" } = sample;
  const price = { ...sample.price, created, currency };
  const moved = inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {
      current_period_end: created + PERIOD,
      current_period_start: created,
      current_trial: null,
    },
    "2024-11-20.acacia": {},
  });
  return {
    id: id.replace(/^sub_/, "si_"),
    object: "subscription_item",
    billing_thresholds: null,
    created,
    discounts: [],
    metadata: {},
    plan: samplePlan(api_version, price),
    price: samplePrice(api_version, price),
    quantity: 1,
    subscription: id,
    tax_rates: [],
    ...moved,
  };
}
