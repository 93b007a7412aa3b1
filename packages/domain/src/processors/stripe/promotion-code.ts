import { z } from "zod";
import { read } from "../unsupported.ts";
import { eventSchema, id, OBJECT, optionalReference } from "./fields.ts";

/** The current state of a promotion code at Stripe. */
export interface PromotionCode {
  /** `promo_…`. */
  external_id: string;
  /** The text that customers type. */
  code: string;
  active: boolean;
  /** Null: it has no coupon. */
  coupon_id: string | null;
}

/** https://docs.stripe.com/api/promotion_codes/object */
const promotionCodeSchema = z
  .object({
    id,
    code: id,
    active: z.boolean(),
    // From 2025-09-30.clover on.
    promotion: z.object({ coupon: optionalReference }).nullish(),
    // Until 2025-08-27.basil.
    coupon: optionalReference,
  })
  .transform(
    ({ id, code, active, promotion, coupon }): PromotionCode => ({
      external_id: id,
      code,
      active,
      coupon_id: promotion?.coupon ?? coupon,
    }),
  );

const types = ["promotion_code.created", "promotion_code.updated", "lookup.promotion_code"];

/** Whether a message of this type is about a promotion code. */
export function isPromotionCode(type: string): boolean {
  return types.includes(type);
}

/** The promotion code of a Stripe event; null for other events, or if it cannot be parsed. */
export function readPromotionCode(event: unknown): PromotionCode | null {
  const envelope = eventSchema.safeParse(event).data;
  if (envelope === undefined || !types.includes(envelope.type)) return null;
  return promotionCodeSchema.safeParse(envelope.data.object).data ?? null;
}

/**
 * A promotion code contains no fact about a customer; `readPromotionCode` reads it to find its affiliate. This only
 * validates it.
 */
export function checkPromotionCode({ object }: { object: unknown }): [] {
  read(promotionCodeSchema, object, OBJECT);
  return [];
}
