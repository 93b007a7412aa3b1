import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import type { StateTone } from "@findersfee/ui/components/state";
import { OUTCOME_GROUPS, type OutcomeGroup } from "./outcome-groups.ts";

const TONES: Record<OutcomeGroup, StateTone> = {
  earned: "done",
  fixable: "warning",
  rules: "none",
  nobody: "none",
};

export function toneOf(outcome: PaymentOutcomeName): StateTone {
  return TONES[OUTCOME_GROUPS[outcome]];
}

export const groups: Record<OutcomeGroup, string> = {
  earned: "Earned",
  fixable: "Fixable",
  rules: "Excluded by rules",
  nobody: "No affiliate",
};

/** The outcomes in lists and filters. */
export const labels: Record<PaymentOutcomeName, string> = {
  commission: "Commission",
  affiliate_unapproved: "Affiliate not approved",
  affiliate_banned: "Affiliate banned",
  products_unknown: "Products unknown",
  no_email: "No email",
  fixed_amount_other_currency: "Fixed amount, other currency",
  exchange_rate_missing: "Exchange rate missing",
  click_expired: "Click expired",
  click_after_checkout: "Click after checkout",
  self_referral: "Self-referral",
  existing_customer: "Existing customer",
  paid_before_referral: "Paid before the referral",
  limit_reached: "Limit reached",
  customer_stopped: "Commissions stopped",
  proration: "Plan change",
  nothing_paid: "Nothing paid",
  product_excluded: "Product excluded",
  excluded_by_rule: "Excluded by a rule",
  commission_is_zero: "Rounds to zero",
  commission_is_negative: "Below zero",
  commission_exists: "Manual commission",
  no_referral: "Not referred",
};

/** The outcomes on a payment's own page. */
export const sentences: Record<PaymentOutcomeName, string> = {
  commission: "This payment earned a commission.",
  affiliate_unapproved: "The affiliate who referred the customer is not approved yet.",
  affiliate_banned: "The affiliate who referred the customer is banned, or has left.",
  products_unknown:
    "The campaign has product rates, and this payment’s products are unknown. They are fetched from the processor if its connection has an API key that can read them.",
  no_email: "The customer’s email is unknown. A referral needs one.",
  fixed_amount_other_currency:
    "The campaign pays a fixed amount in the organization’s currency, and this payment is in another currency.",
  exchange_rate_missing:
    "The campaign pays a fixed amount that is converted to this payment’s currency, and no exchange rate of the payment’s day is known. The payment is decided once it is.",
  click_expired: "The customer clicked an affiliate’s link, but before the campaign’s click window.",
  click_after_checkout: "The customer clicked an affiliate’s link only after the checkout had started.",
  self_referral: "The customer is the affiliate. Nobody earns a commission on their own purchase.",
  existing_customer:
    "Not a new customer: they paid before without an affiliate, and the campaign pays for new customers only, or they had a payment, subscription or checkout before the click that the sign-up names.",
  paid_before_referral: "The customer paid before the referral was created.",
  customer_stopped: "Your team stopped commissions for this customer.",
  limit_reached:
    "The campaign pays for a limited time or number of payments, and this one is past that limit.",
  proration: "The invoice is for a change to a subscription, which the campaign does not pay for.",
  nothing_paid: "Nothing was paid after discounts, tax and credit.",
  product_excluded: "The campaign pays nothing for the products of this payment.",
  excluded_by_rule: "A rule of the campaign or of the affiliate pays nothing for this payment.",
  commission_is_zero: "The commission rounds to zero in the currency’s smallest unit.",
  commission_is_negative:
    "The products’ rates add up to less than zero: a negative part of the payment has a higher rate than the rest.",
  commission_exists: "A commission for this payment was created manually.",
  no_referral: "Nobody referred the customer: no referral, promo code or click.",
};
