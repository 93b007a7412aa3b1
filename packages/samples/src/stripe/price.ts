import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SamplePrice {
  id: string;
  product: string;
  unit_amount: number;
  currency: string;
  created: number;
}

/** Since 2025-03-31.basil only meters count usage. */
function usageOf(api_version: ApiVersion) {
  return inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {},
    "2024-11-20.acacia": { aggregate_usage: null },
  });
}

/** A price (https://docs.stripe.com/api/prices/object). */
export function samplePrice(api_version: ApiVersion, price: SamplePrice): StripeObject {
  const { id, product, unit_amount, currency, created } = price;
  return {
    id,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: {
      ...usageOf(api_version),
      interval: "month",
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  };
}

/** A plan (https://docs.stripe.com/api/plans/object), the predecessor of recurring prices. */
export function samplePlan(api_version: ApiVersion, price: SamplePrice): StripeObject {
  const { id, product, unit_amount, currency, created } = price;
  return {
    id,
    object: "plan",
    active: true,
    ...usageOf(api_version),
    amount: unit_amount,
    amount_decimal: String(unit_amount),
    billing_scheme: "per_unit",
    created,
    currency,
    interval: "month",
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}
