/** The outcome of a lead, and why it earns nothing. */
export const leadOutcomes = {
  commission: "It earned a commission.",
  no_lead_commission: "The affiliate's campaign pays nothing for this kind of lead.",
  affiliate_banned: "The affiliate was banned.",
  affiliate_unapproved: "The affiliate was not approved.",
  self_referral: "The customer is the affiliate.",
  before_referral: "It happened before the customer was referred.",
  daily_limit_reached: "The affiliate had reached the campaign's limit of such leads for the day.",
  fixed_amount_other_currency: "The organization's currency has changed since.",
  customer_stopped: "Commissions for this customer were stopped.",
  referral_withdrawn:
    "The referral was withdrawn: its customer belongs to another referral or to none, or became the affiliate's by a credit.",
} as const;

export type LeadOutcome = keyof typeof leadOutcomes;
