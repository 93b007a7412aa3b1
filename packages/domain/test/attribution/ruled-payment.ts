import type { Earning } from "../../src/attribution/decide/earn.ts";
import type { RuledPayment } from "../../src/attribution/decide/rules.ts";

/** A payment that tells rules no more than its amount: neither the first one nor with anything reported. */
export function ruledPayment({
  currency,
  revenue_minor,
}: Pick<Earning, "currency" | "revenue_minor">): RuledPayment {
  return {
    is_first: false,
    number: 2,
    paid_at: new Date("2026-03-01"),
    first_at: new Date("2026-02-01"),
    country: null,
    currency,
    revenue_minor,
    metadata: {},
    promo_codes: [],
    tier: null,
  };
}
