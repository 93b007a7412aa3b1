import type { PromoCodeRow } from "@findersfee/database/promo-codes";

/** The job that makes promotion codes at Stripe. */
export const MAKE_PROMO_CODES = "make_promo_codes";

/** After each failed attempt that may pass; the last one again and again. */
const AGAIN_SECONDS = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600];

/** After how many seconds a code is tried again that failed so often. */
export function promoCodeAgainSeconds(attempts: number): number {
  return AGAIN_SECONDS[Math.min(attempts, AGAIN_SECONDS.length - 1)] ?? 0;
}

export type PromoCodeWork =
  /** The processor has it, or need not have it. */
  | { kind: "nothing" }
  | {
      kind: "make";
      coupon: string;
      /** The id of the one that it takes the place of: its text never changes at Stripe. */
      replaces: string | null;
    };

/** What is to be done at the processor for a promo code. */
export function promoCodeWork(row: PromoCodeRow): PromoCodeWork {
  const { coupon, external_id, external_code, external_coupon, external_linked } = row;
  if (coupon === null) return { kind: "nothing" };
  if (external_id === null) return { kind: "make", coupon, replaces: null };
  // Stripe compares codes without regard to case. What was linked by hand may give another coupon.
  const same_code = external_code === null || external_code.toLowerCase() === row.code.toLowerCase();
  const same_coupon = external_linked || external_coupon === null || external_coupon === coupon;
  if (same_code && same_coupon) return { kind: "nothing" };
  return { kind: "make", coupon, replaces: external_linked ? null : external_id };
}
