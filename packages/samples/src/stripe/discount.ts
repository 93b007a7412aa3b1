import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SampleDiscount {
  id: string;
  start: number;
  coupon: string;
  promotion_code: string | null;
  customer?: string | null;
  checkout_session?: string | null;
  subscription?: string | null;
  invoice?: string | null;
}

/** A discount (https://docs.stripe.com/api/discounts/object). Since 2025-09-30.clover, the coupon is in `source`. */
export function sampleDiscount(api_version: ApiVersion, sample: SampleDiscount): StripeObject {
  const moved = inVersion(api_version, {
    "2026-10-28.endive": { customer_account: null, source: { coupon: sample.coupon, type: "coupon" } },
    "2024-11-20.acacia": { coupon: sampleCoupon({ id: sample.coupon, created: sample.start }) },
  });
  return {
    id: sample.id,
    object: "discount",
    checkout_session: sample.checkout_session ?? null,
    customer: sample.customer ?? null,
    end: null,
    invoice: sample.invoice ?? null,
    invoice_item: null,
    promotion_code: sample.promotion_code,
    start: sample.start,
    subscription: sample.subscription ?? null,
    subscription_item: null,
    ...moved,
  };
}

/** A coupon (https://docs.stripe.com/api/coupons/object), which has the same fields in both versions. */
export function sampleCoupon({ id, created }: { id: string; created: number }): StripeObject {
  return {
    id,
    object: "coupon",
    amount_off: null,
    created,
    currency: null,
    duration: "once",
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: "20% off",
    percent_off: 20,
    redeem_by: null,
    times_redeemed: 1,
    valid: true,
  };
}

export interface SamplePromotionCode {
  id: string;
  created: number;
  code: string;
  coupon: string;
  active?: boolean;
}

/** A promotion code (https://docs.stripe.com/api/promotion_codes/object). Since 2025-09-30.clover, the coupon is in `promotion`. */
export function samplePromotionCode(api_version: ApiVersion, sample: SamplePromotionCode): StripeObject {
  const { id, created, code, coupon, active = true } = sample;
  const moved = inVersion(api_version, {
    "2026-10-28.endive": { customer_account: null, promotion: { coupon, type: "coupon" } },
    "2024-11-20.acacia": { coupon: sampleCoupon({ id: coupon, created }) },
  });
  return {
    id,
    object: "promotion_code",
    active,
    code,
    created,
    customer: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
    ...moved,
  };
}
