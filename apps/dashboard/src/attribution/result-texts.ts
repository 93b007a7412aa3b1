import { isClickId } from "@findersfee/contract/attribution/click-ids";

/** Names of the results of promo codes and clicks. The story of a commission needs them without the texts of payments. */
const RESULT_NAMES = {
  won: "Credited",
  // Another candidate was credited, or it was a self-referral.
  lost: "Outranked by another one",
  affiliate_banned: "Affiliate banned",
  affiliate_unapproved: "Affiliate not approved",
  click_expired: "Click expired",
  click_after_checkout: "Click after checkout",
  self_referral: "Self-referral",
  existing_customer: "Existing customer",
  unknown_code: "No affiliate has this code",
  unknown_click: "Unknown click",
};

const NOT_A_CLICK_ID = "Not a click ID";

interface Result {
  source: string;
  reference: string;
  result: keyof typeof RESULT_NAMES;
}

/** The name of a candidate's result. */
export function resultName({ source, reference, result }: Result): string {
  const is_wrong = result === "unknown_click" && source === "click" && !isClickId(reference);
  return is_wrong ? NOT_A_CLICK_ID : RESULT_NAMES[result];
}

/**
 * The shown form of a candidate's reference. A click id is shortened, since it is long; other references are
 * recognized by all of it.
 */
export function shownReference({ source, reference }: Result, shorten: (id: string) => string): string {
  return source === "promo_code" || !isClickId(reference) ? reference : shorten(reference);
}
