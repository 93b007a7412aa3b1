import type { PromoCodeRow } from "@findersfee/database/processors/promo-codes";

export type PromoCodeWork =
  /** The processor has it, or does not need it. */
  | { kind: "nothing" }
  | {
      kind: "make";
      coupon: string;
      /** The id of the code that it replaces, because a code's text never changes at Stripe. */
      replaces: string | null;
    };

/** Plans the work at the processor for a promo code. */
export function promoCodeWork(row: PromoCodeRow): PromoCodeWork {
  const { coupon, external_id, external_code, external_coupon, external_linked } = row;
  if (coupon === null) return { kind: "nothing" };
  if (external_id === null) return { kind: "make", coupon, replaces: null };
  // Stripe compares codes case-insensitively. A code that was linked manually may have another coupon.
  const same_code = external_code === null || external_code.toLowerCase() === row.code.toLowerCase();
  const same_coupon = external_linked || external_coupon === null || external_coupon === coupon;
  if (same_code && same_coupon) return { kind: "nothing" };
  return { kind: "make", coupon, replaces: external_linked ? null : external_id };
}
