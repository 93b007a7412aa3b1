import type { ClicksAround, RefundedShares } from "@findersfee/database/attribution/signal-rates";

/*
 * Limits for an affiliate's clicks, sign-ups and refunds: docs/payouts.md. The service stores the evidence,
 * so a change here changes no decision.
 */

/** The seconds around a click in which clicks are counted, and those around a sign-up. */
export const CLICK_SECONDS = 60;
export const SIGN_UP_SECONDS = 600;

/** Fewer clicks are never too many. */
export const MANY_CLICKS = 20;
const CLICKS_PER_NETWORK = 4;
/** From however many networks. */
const CLICKS_OF_NO_PAGE = 300;

/** The evidence that clicks around a click are too many; empty: there is none. */
export function evidenceOfClicks({ clicks, networks }: Omit<ClicksAround, "id">): string[] {
  const is_many = clicks >= MANY_CLICKS && clicks >= networks * CLICKS_PER_NETWORK;
  return is_many || clicks >= CLICKS_OF_NO_PAGE ? [`${clicks}`, `${networks}`] : [];
}

/** Fewer sign-ups are never too many. */
export const MANY_SIGN_UPS = 20;

/** The same for sign-ups around a customer's. */
export function evidenceOfSignUps(signups: number): string[] {
  return signups >= MANY_SIGN_UPS ? [`${signups}`] : [];
}

/** The last payments that are counted, of an affiliate and of all. */
export const REFUNDED = { at_least: 5, own_payments: 100, all_payments: 1_000 };

const TIMES_OTHERS = 3;
/** One in ten payments, even if other affiliates have no refunds. */
const LEAST_SHARE = 10;

/** The same for an affiliate's refunds and disputes. */
export function evidenceOfRefunds({
  refunded,
  payments,
  others_refunded,
  others,
}: Omit<RefundedShares, "affiliate_id">): string[] {
  const is_many =
    refunded >= REFUNDED.at_least &&
    refunded * LEAST_SHARE >= payments &&
    refunded * others >= TIMES_OTHERS * others_refunded * payments;
  return is_many ? [refunded, payments, others_refunded, others].map(String) : [];
}
