import type { Earning } from "../../src/attribution/decide/earn.ts";
import type { RuledPayment } from "../../src/attribution/decide/rules.ts";

/** A payment with only an amount: it is not the first one, and has no reported fields. */
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
    tags: [],
  };
}
