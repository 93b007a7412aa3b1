import type { Stripe } from "stripe";
import { stripeFailure } from "./client.ts";

export interface MadePromotionCode {
  external_id: string;
  /** Stripe already has such a code, which somebody else created. */
  linked: boolean;
}

/**
 * Makes a promotion code at Stripe, or finds the active one that has the same text and coupon already. Throws
 * an error of Stripe's. The same idempotency key makes one code, however often it is asked for.
 */
export async function makePromotionCode(
  stripe: Stripe,
  {
    code,
    coupon,
    idempotency_key,
    metadata,
  }: { code: string; coupon: string; idempotency_key: string; metadata: Record<string, string> },
): Promise<MadePromotionCode> {
  try {
    const made = await stripe.promotionCodes.create(
      { promotion: { type: "coupon", coupon }, code, metadata },
      { idempotencyKey: idempotency_key },
    );
    return { external_id: made.id, linked: false };
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure?.kind !== "refused" || failure.code === "resource_missing") throw error;
    const existing = await findActive(stripe, { code, coupon });
    if (existing === null) throw error;
    const is_ours = existing.metadata?.findersfee_affiliate === metadata.findersfee_affiliate;
    return { external_id: existing.id, linked: !is_ours };
  }
}

async function findActive(
  stripe: Stripe,
  { code, coupon }: { code: string; coupon: string },
): Promise<Stripe.PromotionCode | null> {
  const { data } = await stripe.promotionCodes.list({ code, coupon, active: true, limit: 1 });
  return data[0] ?? null;
}

/** Ends a promotion code; one that is not there need not be ended. */
export async function deactivatePromotionCode(stripe: Stripe, external_id: string): Promise<void> {
  try {
    await stripe.promotionCodes.update(external_id, { active: false });
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure?.kind !== "refused" || failure.code !== "resource_missing") throw error;
  }
}
