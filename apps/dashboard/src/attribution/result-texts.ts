/** Names of the results of promo codes and clicks. The story of a commission needs them without the texts of payments. */
export const RESULT_NAMES = {
  won: "Won",
  lost: "Lost to an earlier one",
  affiliate_banned: "Affiliate banned",
  affiliate_unapproved: "Affiliate not approved",
  click_expired: "Click expired",
  click_after_checkout: "Click after checkout",
  self_referral: "Self-referral",
  existing_customer: "Existing customer",
  unknown_code: "No affiliate has this code",
  unknown_click: "Click unknown",
};
