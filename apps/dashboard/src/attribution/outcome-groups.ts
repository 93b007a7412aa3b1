import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";

/** The possible reaction of a person to an outcome. */
export type OutcomeGroup = "earned" | "fixable" | "rules" | "nobody";

/** The outcomes by group, in the order of the filter. The router reads addresses with them, so their words are elsewhere. */
export const OUTCOME_GROUPS = {
  commission: "earned",
  affiliate_unapproved: "fixable",
  affiliate_banned: "fixable",
  products_unknown: "fixable",
  no_email: "fixable",
  fixed_amount_other_currency: "fixable",
  exchange_rate_missing: "fixable",
  click_expired: "rules",
  click_after_checkout: "rules",
  self_referral: "rules",
  existing_customer: "rules",
  paid_before_referral: "rules",
  limit_reached: "rules",
  customer_stopped: "rules",
  proration: "rules",
  nothing_paid: "rules",
  product_excluded: "rules",
  excluded_by_rule: "rules",
  commission_is_zero: "rules",
  commission_is_negative: "rules",
  commission_exists: "rules",
  no_referral: "nobody",
} as const satisfies Record<PaymentOutcomeName, OutcomeGroup>;

export const OUTCOME_NAMES = Object.keys(OUTCOME_GROUPS) as PaymentOutcomeName[];
