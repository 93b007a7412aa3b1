// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

import type {
  Affiliate,
  AffiliateCampaign,
  AffiliateLink,
  AffiliatePromoCode,
  CommissionReview,
  CustomFieldAnswer,
  ReducedPayout,
  ReferralWithoutAffiliate,
} from "./resources.ts";

export interface CustomCommissionInput {
  /** ID of the product at the payment processor. At most 255 characters. */
  product_id: string;
  /** Whether `amount` is a percentage of the revenue or a fixed amount. */
  type: "percentage" | "fixed";
  /**
   * With `type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With `fixed`: an
   * amount in major units of the organization's currency. 0 excludes the product.
   */
  amount: number;
}

export interface CampaignCustomFieldInput {
  /** Identifies the field within the campaign. At most 64 characters. */
  id: string;
  /** The question as shown at signup. At most 500 characters. */
  label: string;
  /** The kind of input. */
  type: "text" | "textarea" | "select" | "multi_select";
  /** The choices; required for `select` and `multi_select`. At most 100 items. Default: `[]`. */
  options?: string[] | undefined;
  /** Whether an answer is required. Default: `false`. */
  required?: boolean | undefined;
}

export interface FirstPaymentCommissionInput {
  /** Whether the rate applies. */
  enabled: boolean;
  /** Whether `amount` is a percentage of the revenue or a fixed amount. */
  type: "percentage" | "fixed";
  /**
   * With `type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With `fixed`: an
   * amount in major units of the organization's currency. May be 0 while not enabled.
   */
  amount: number;
}

export interface CommissionRuleInput {
  /** The id of an existing rule; a rule without an id is new. */
  id?: string | undefined;
  /** For your team, and in decisions; null for none. At most 100 characters. Default: `null`. */
  name?: string | null | undefined;
  /** All of them must hold. None: it matches all. */
  conditions: CommissionRuleConditionsInput;
  /** The reward of the rule. */
  reward: CommissionRewardInput;
}

export interface CommissionRuleRangeInput {
  /** The first one, from 1 on. Absent: the first of all. 1 to 10000. */
  from?: number | undefined;
  /** The last one. Absent: without an end. 1 to 10000. */
  to?: number | undefined;
}

export interface CommissionRuleAmountInput {
  /** The payment's currency, ISO 4217. */
  currency: string;
  /** At least, in major units. Absent: any. */
  from?: number | undefined;
  /** Less than that, in major units. Absent: any. Greater than 0. */
  below?: number | undefined;
}

export interface CommissionRuleMetadataInput {
  /** The key. At most 40 characters. */
  key: string;
  /** One of them matches. At most 50 items. */
  values: string[];
}

export interface CommissionRuleConditionsInput {
  /** Products at the processor. The rule then decides the lines of these alone. At most 50 items. */
  products?: string[] | undefined;
  /** How the lines are billed. The rule then decides such lines alone. At most 50 items. */
  intervals?: ("day" | "week" | "month" | "year" | "one_time")[] | undefined;
  /**
   * Which of the referral's payments that earned a commission, or that a rule gave nothing: `{ to: 1 }` is
   * the first one, `{ from: 2 }` are renewals.
   */
  payments?: CommissionRuleRangeInput | undefined;
  /** In which months since the first of these payments: `{ to: 12 }` is the first year. */
  months?: CommissionRuleRangeInput | undefined;
  /** The customer's country with the payment, ISO 3166. At most 50 items. */
  countries?: string[] | undefined;
  /** The payment's currency, ISO 4217. At most 50 items. */
  currencies?: string[] | undefined;
  /** The revenue of payments in a currency. Payments in others do not match. */
  amount?: CommissionRuleAmountInput | undefined;
  /** A key of the payment's metadata at the processor, and the values that match. */
  metadata?: CommissionRuleMetadataInput | undefined;
  /** Promo codes that were used for the payment, in any case. At most 50 items. */
  promo_codes?: string[] | undefined;
  /** Tiers of the affiliate at the time of the payment, by their ids. At most 50 items. */
  tiers?: string[] | undefined;
  /** Tags of the affiliate when the payment was first decided; one of them matches. At most 50 items. */
  tags?: string[] | undefined;
}

export interface CommissionRewardAmountInput {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** Major units. Greater than 0. */
  amount: number;
}

export interface CommissionRewardInput {
  /** A `percentage` of the revenue, a `fixed` amount, or `nothing`. */
  type: "percentage" | "fixed" | "nothing";
  /**
   * With `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. Otherwise null. Greater
   * than 0. Default: `null`.
   */
  amount?: number | null | undefined;
  /**
   * With `fixed`: one for each currency; it counts once for a payment. Otherwise empty. At most 50 items.
   * Default: `[]`.
   */
  amounts?: CommissionRewardAmountInput[] | undefined;
}

export interface CampaignTiersInput {
  /**
   * `customers` with a first commission, `revenue`, or `commissions`. Amounts in other currencies than the
   * organization's do not count.
   */
  measure: "customers" | "revenue" | "commissions";
  /**
   * `month`: the calendar month; a tier that was reached in it counts through the first day of the next one.
   * `last_90_days`: the 90 days before. `all_time`: everything.
   */
  period: "month" | "last_90_days" | "all_time";
  /** In rising order of `from`, at least one. The last one that was reached counts. At most 10 items. */
  steps: CampaignTierStepInput[];
}

export interface CampaignTierStepInput {
  /** The id of an existing tier; a tier without an id is new. */
  id?: string | undefined;
  /** As affiliates see it. At most 50 characters. */
  name: string;
  /** The number to reach: customers, or major units of the organization's currency. Greater than 0. */
  from: number;
  /**
   * The reward for payments in this tier. It precedes the campaign's rules. Null: as in the tier before, and
   * without tiers. Default: `null`.
   */
  commission?: CommissionRewardInput | null | undefined;
  /**
   * An amount in the organization's currency that affiliates get once when they reach it, each month with the
   * period `month`. A number that was reached before the bonus was offered gives none. Null: none. Greater
   * than 0. Default: `null`.
   */
  bonus?: number | null | undefined;
}

export interface RecruitingInput {
  /**
   * The percentage of a recruit's commissions, over 0 and at most 100, with at most 4 decimals. Greater than
   * 0.
   */
  percent: number;
  /** The number of months after the recruit's creation in which payments count, 1 to 120. */
  months: number;
}

export interface LeadCommissionInput {
  /**
   * `signup`: a new referral. `trial`: the referral's first trial, as the payment processor reports it. Any
   * other name: a conversion that your backend reports by that name.
   */
  kind: string;
  /** The commission, in major units of the organization's currency. Greater than 0. */
  amount: number;
  /**
   * The most leads of this kind that earn an affiliate a commission in a day (UTC); null: no limit. 1 to
   * 1000000. Default: `null`.
   */
  daily_limit?: number | null | undefined;
}

export interface LinkDiscountInput {
  /** Whether the discount applies by link. */
  enabled: boolean;
  /**
   * The visitors' discount, in the words of your pages; null: your pages say only that there is a discount.
   * At most 200 characters. Default: `null`.
   */
  description?: string | null | undefined;
  /**
   * Whether your pages may show visitors the name of the affiliate with the link that they followed. Default:
   * `false`.
   */
  show_affiliate?: boolean | undefined;
}

export interface CampaignSignalsInput {
  /**
   * Customer and affiliate have emails of one domain, other than those of public mail providers. Default:
   * `off`.
   */
  shared_domain?: "off" | "flag" | "hold" | "refuse" | undefined;
  /** The customer's email is of a provider of disposable addresses. Default: `off`. */
  disposable_email?: "off" | "flag" | "hold" | "refuse" | undefined;
  /** Another affiliate is paid at the same email. Default: `off`. */
  shared_payout_email?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * The landing page's address says that the click came from an ad: it has `gclid`, `wbraid`, `gbraid` or
   * `msclkid`, or `utm_medium` is `cpc`, `ppc` or `paidsearch`. Default: `off`.
   */
  paid_search?: "off" | "flag" | "hold" | "refuse" | undefined;
  /** The click came from one of `referrers`. Default: `off`. */
  listed_referrer?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * The click came from a network from which the affiliate used the portal on the same day (UTC). Default:
   * `off`.
   */
  shared_network?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * The customer paid with a card with which the affiliate, as a customer of yours, has paid. Only Stripe
   * reports cards, and only those of payments that are processed while a campaign has the signal are known.
   * Default: `off`.
   */
  shared_card?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * Within the minute around the click, the affiliate's links had at least 20 clicks from a quarter as many
   * networks or fewer, or at least 300 clicks. Default: `off`.
   */
  many_clicks?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * Within the ten minutes around the customer's sign-up, at least 20 customers of the affiliate signed up.
   * Default: `off`.
   */
  many_signups?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * At least 5 and at least a tenth of the affiliate's last 100 payments were refunded or disputed. That is
   * at least 3 times the share of all others' among the organization's last 1,000. Default: `off`.
   */
  many_refunds?: "off" | "flag" | "hold" | "refuse" | undefined;
  /**
   * Hosts of `listed_referrer`, each with its subdomains, such as coupon sites. At most 200 items. Default:
   * `[]`.
   */
  referrers?: string[] | undefined;
}

export interface CampaignTranslationInput {
  /** The campaign's name in the language; null: not translated. At most 200 characters. Default: `null`. */
  name?: string | null | undefined;
  /** The welcome message in the language; null: not translated. At most 10000 characters. Default: `null`. */
  welcome_message?: string | null | undefined;
  /**
   * The text above the field for details in the language; null: not translated. At most 10000 characters.
   * Default: `null`.
   */
  details_text?: string | null | undefined;
  /**
   * The text on the affiliates' dashboard in the language; null: not translated. At most 10000 characters.
   * Default: `null`.
   */
  dashboard_text?: string | null | undefined;
  /** The questions with translations. At most 50 items. Default: `[]`. */
  custom_fields?: CampaignCustomFieldTranslationInput[] | undefined;
}

export interface CampaignCustomFieldTranslationInput {
  /** The question: the `id` of one of the `custom_fields`. At most 64 characters. */
  id: string;
  /** The question in the language; null: not translated. At most 500 characters. Default: `null`. */
  label?: string | null | undefined;
  /**
   * The choices in the language, one for each of the question's `options`, in their order; null: not
   * translated. Empty: none is translated. At most 100 items. Default: `[]`.
   */
  options?: (string | null)[] | undefined;
}

export interface CampaignTranslationsInput {
  /** The texts in English; null: none is translated. Default: `null`. */
  en?: CampaignTranslationInput | null | undefined;
  /** The texts in German; null: none is translated. Default: `null`. */
  de?: CampaignTranslationInput | null | undefined;
}

export interface BacktestCampaignInput {
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type?: "percentage" | "fixed" | undefined;
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency. Greater than 0.
   */
  commission_amount?: number | undefined;
  /**
   * The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a
   * number of `payments`.
   */
  limit_type?: "none" | "months" | "payments" | undefined;
  /** The number of months or payments. Required unless `limit_type` is `none`. 1 to 10000. */
  limit_amount?: number | null | undefined;
  /** `product`: `custom_commissions` replace the rate for their products. */
  custom_commission_type?: "none" | "product" | undefined;
  /**
   * Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a
   * product. At most 200 items.
   */
  custom_commissions?: CustomCommissionInput[] | undefined;
  /** When enabled, replaces the rate for the first commission of each referral. */
  first_payment_commission?: FirstPaymentCommissionInput | undefined;
  /** Whether a fixed commission is limited to the amount of its payment. */
  commission_cap?: boolean | undefined;
  /**
   * Whether proration payments earn no commission: Stripe invoices with the billing reason
   * `subscription_update`.
   */
  skip_prorations?: boolean | undefined;
  /**
   * Rules that precede all rates, in their order. The first rule that matches a line of a payment decides the
   * line. The campaign's rates decide the other lines. At most 50 items.
   */
  rules?: CommissionRuleInput[] | undefined;
  /**
   * Tiers that affiliates reach by their customers, revenue or commissions. A worker measures each affiliate
   * after the end of each day in the organization's time zone; a payment is decided with the affiliate's tier
   * at the time of the payment. Null: no tiers.
   */
  tiers?: CampaignTiersInput | null | undefined;
  /**
   * Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate
   * until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions
   * that affiliates get later, new or moved.
   */
  review?: "none" | "all" | "first" | "flagged" | undefined;
  /**
   * Commissions above this amount wait for a review, too, in major units of the organization's currency;
   * commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.
   * Greater than 0.
   */
  review_above_amount?: number | null | undefined;
  /**
   * The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a
   * person approves.
   */
  review_approve_after_days?: number | null | undefined;
  /** The campaign. */
  campaign_id: string;
}

export interface BacktestAffiliateRulesInput {
  /** The affiliates that would have the rules. At most 100 items. */
  affiliate_ids: string[];
  /** Rules of their own in the whole period. Empty: they have none. At most 50 items. */
  rules: CommissionRuleInput[];
}

/** Filters and page size. */
export interface ListCampaigns {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
}

/** Identifies the resource. */
export interface GetCampaign {
  /** The campaign's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateCampaign {
  /** The campaign's name. At most 200 characters. */
  name: string;
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type: "percentage" | "fixed";
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency. Greater than 0.
   */
  commission_amount: number;
  /**
   * How affiliates refer: `link` makes affiliate links, `coupon` promo codes, `both` makes both. Default:
   * `link`.
   */
  code_mode?: "link" | "coupon" | "both" | undefined;
  /** The page that affiliate links open. Required when `code_mode` is `link` or `both`. */
  website_url?: string | null | undefined;
  /**
   * Whether affiliates join this campaign by default. An organization has at most one default campaign:
   * setting it here unsets it elsewhere.
   */
  is_default?: boolean | undefined;
  /**
   * The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a
   * number of `payments`.
   */
  limit_type?: "none" | "months" | "payments" | undefined;
  /** The number of months or payments. Required unless `limit_type` is `none`. 1 to 10000. */
  limit_amount?: number | null | undefined;
  /**
   * ID of the payment processor's coupon that promo codes apply. Required when `code_mode` is `coupon` or
   * `both`. At most 255 characters.
   */
  reference_coupon?: string | null | undefined;
  /** `product`: `custom_commissions` replace the rate for their products. */
  custom_commission_type?: "none" | "product" | undefined;
  /**
   * Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a
   * product. At most 200 items.
   */
  custom_commissions?: CustomCommissionInput[] | undefined;
  /** Sent to an affiliate on approval. At most 10000 characters. */
  welcome_message?: string | null | undefined;
  /** Whether new affiliates wait for approval. */
  approval_needed?: boolean | undefined;
  /** Whether the signup form asks for details. */
  collect_details?: boolean | undefined;
  /** The text above the field for details on the signup form. At most 10000 characters. */
  details_text?: string | null | undefined;
  /** Additional fields on the signup form. At most 50 items. */
  custom_fields?: CampaignCustomFieldInput[] | undefined;
  /** Whether affiliates see only part of their referrals' emails. */
  hide_emails?: boolean | undefined;
  /** Shown on the affiliates' dashboard. At most 10000 characters. */
  dashboard_text?: string | null | undefined;
  /** The number of days in which a click can earn a referral, 1 to 365. */
  cookie_duration?: number | undefined;
  /** When enabled, replaces the rate for the first commission of each referral. */
  first_payment_commission?: FirstPaymentCommissionInput | undefined;
  /**
   * Which customers affiliates can refer: `new` excludes customers who already paid without an affiliate,
   * `any` includes them.
   */
  customers?: "new" | "any" | undefined;
  /**
   * Which of a customer's clicks on the campaign's links earns the referral: `last_click` or `first_click`,
   * within `cookie_duration`.
   */
  attribution?: "last_click" | "first_click" | undefined;
  /** Whether a fixed commission is limited to the amount of its payment. */
  commission_cap?: boolean | undefined;
  /**
   * Whether proration payments earn no commission: Stripe invoices with the billing reason
   * `subscription_update`.
   */
  skip_prorations?: boolean | undefined;
  /**
   * Rules that precede all rates, in their order. The first rule that matches a line of a payment decides the
   * line. The campaign's rates decide the other lines. At most 50 items.
   */
  rules?: CommissionRuleInput[] | undefined;
  /**
   * Tiers that affiliates reach by their customers, revenue or commissions. A worker measures each affiliate
   * after the end of each day in the organization's time zone; a payment is decided with the affiliate's tier
   * at the time of the payment. Null: no tiers.
   */
  tiers?: CampaignTiersInput | null | undefined;
  /**
   * Whether affiliates see in the portal how they compare with others of the campaign, and whether they see
   * `names` or `initials`. `none`: no leaderboard.
   */
  leaderboard?: "none" | "initials" | "names" | undefined;
  /**
   * The share that affiliates get of the commissions of affiliates that they recruit by their link. Null: no
   * share. A recruit keeps the terms of the day on which it was created.
   */
  recruiting?: RecruitingInput | null | undefined;
  /**
   * Fixed commissions for events other than payments: sign-ups, trials, and conversions that your backend
   * reports. Each kind earns once per referral; a change does not affect earlier leads. At most 20 items.
   */
  lead_commissions?: LeadCommissionInput[] | undefined;
  /**
   * Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate
   * until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions
   * that affiliates get later, new or moved.
   */
  review?: "none" | "all" | "first" | "flagged" | undefined;
  /**
   * Commissions above this amount wait for a review, too, in major units of the organization's currency;
   * commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.
   * Greater than 0.
   */
  review_above_amount?: number | null | undefined;
  /**
   * The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a
   * person approves.
   */
  review_approve_after_days?: number | null | undefined;
  /**
   * The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without
   * being typed. Has an effect only with `code_mode` `both`.
   */
  link_discount?: LinkDiscountInput | undefined;
  /**
   * The action for payments with signs of fraud, for each sign: `off`, `flag` (the decision shows it, and a
   * commission waits with `review` `flagged`), `hold` (the commission waits for a review) or `refuse` (no
   * commission). A change applies to payments that are processed later.
   */
  signals?: CampaignSignalsInput | undefined;
  /**
   * Texts for affiliates in further languages of the portal, by language. A text that is not translated is
   * shown as the campaign's own field has it.
   */
  translations?: CampaignTranslationsInput | undefined;
}

/**
 * The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are
 * accepted with their current values, so you can read an object, change it and send it back.
 */
export interface UpdateCampaign {
  /** The campaign's id. */
  id: string;
  /** The campaign's name. At most 200 characters. */
  name?: string | undefined;
  /** The page that affiliate links open. Required when `code_mode` is `link` or `both`. */
  website_url?: string | null | undefined;
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type?: "percentage" | "fixed" | undefined;
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency. Greater than 0.
   */
  commission_amount?: number | undefined;
  /**
   * Whether affiliates join this campaign by default. An organization has at most one default campaign:
   * setting it here unsets it elsewhere.
   */
  is_default?: boolean | undefined;
  /**
   * The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a
   * number of `payments`.
   */
  limit_type?: "none" | "months" | "payments" | undefined;
  /** The number of months or payments. Required unless `limit_type` is `none`. 1 to 10000. */
  limit_amount?: number | null | undefined;
  /** How affiliates refer: `link` makes affiliate links, `coupon` promo codes, `both` makes both. */
  code_mode?: "link" | "coupon" | "both" | undefined;
  /**
   * ID of the payment processor's coupon that promo codes apply. Required when `code_mode` is `coupon` or
   * `both`. At most 255 characters.
   */
  reference_coupon?: string | null | undefined;
  /** `product`: `custom_commissions` replace the rate for their products. */
  custom_commission_type?: "none" | "product" | undefined;
  /**
   * Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a
   * product. At most 200 items.
   */
  custom_commissions?: CustomCommissionInput[] | undefined;
  /** Sent to an affiliate on approval. At most 10000 characters. */
  welcome_message?: string | null | undefined;
  /** Whether new affiliates wait for approval. */
  approval_needed?: boolean | undefined;
  /** Whether the signup form asks for details. */
  collect_details?: boolean | undefined;
  /** The text above the field for details on the signup form. At most 10000 characters. */
  details_text?: string | null | undefined;
  /** Additional fields on the signup form. At most 50 items. */
  custom_fields?: CampaignCustomFieldInput[] | undefined;
  /** Whether affiliates see only part of their referrals' emails. */
  hide_emails?: boolean | undefined;
  /** Shown on the affiliates' dashboard. At most 10000 characters. */
  dashboard_text?: string | null | undefined;
  /** The number of days in which a click can earn a referral, 1 to 365. */
  cookie_duration?: number | undefined;
  /** When enabled, replaces the rate for the first commission of each referral. */
  first_payment_commission?: FirstPaymentCommissionInput | undefined;
  /**
   * Which customers affiliates can refer: `new` excludes customers who already paid without an affiliate,
   * `any` includes them.
   */
  customers?: "new" | "any" | undefined;
  /**
   * Which of a customer's clicks on the campaign's links earns the referral: `last_click` or `first_click`,
   * within `cookie_duration`.
   */
  attribution?: "last_click" | "first_click" | undefined;
  /** Whether a fixed commission is limited to the amount of its payment. */
  commission_cap?: boolean | undefined;
  /**
   * Whether proration payments earn no commission: Stripe invoices with the billing reason
   * `subscription_update`.
   */
  skip_prorations?: boolean | undefined;
  /**
   * Rules that precede all rates, in their order. The first rule that matches a line of a payment decides the
   * line. The campaign's rates decide the other lines. At most 50 items.
   */
  rules?: CommissionRuleInput[] | undefined;
  /**
   * Tiers that affiliates reach by their customers, revenue or commissions. A worker measures each affiliate
   * after the end of each day in the organization's time zone; a payment is decided with the affiliate's tier
   * at the time of the payment. Null: no tiers.
   */
  tiers?: CampaignTiersInput | null | undefined;
  /**
   * Whether affiliates see in the portal how they compare with others of the campaign, and whether they see
   * `names` or `initials`. `none`: no leaderboard.
   */
  leaderboard?: "none" | "initials" | "names" | undefined;
  /**
   * The share that affiliates get of the commissions of affiliates that they recruit by their link. Null: no
   * share. A recruit keeps the terms of the day on which it was created.
   */
  recruiting?: RecruitingInput | null | undefined;
  /**
   * Fixed commissions for events other than payments: sign-ups, trials, and conversions that your backend
   * reports. Each kind earns once per referral; a change does not affect earlier leads. At most 20 items.
   */
  lead_commissions?: LeadCommissionInput[] | undefined;
  /**
   * Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate
   * until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions
   * that affiliates get later, new or moved.
   */
  review?: "none" | "all" | "first" | "flagged" | undefined;
  /**
   * Commissions above this amount wait for a review, too, in major units of the organization's currency;
   * commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.
   * Greater than 0.
   */
  review_above_amount?: number | null | undefined;
  /**
   * The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a
   * person approves.
   */
  review_approve_after_days?: number | null | undefined;
  /**
   * The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without
   * being typed. Has an effect only with `code_mode` `both`.
   */
  link_discount?: LinkDiscountInput | undefined;
  /**
   * The action for payments with signs of fraud, for each sign: `off`, `flag` (the decision shows it, and a
   * commission waits with `review` `flagged`), `hold` (the commission waits for a review) or `refuse` (no
   * commission). A change applies to payments that are processed later.
   */
  signals?: CampaignSignalsInput | undefined;
  /**
   * Texts for affiliates in further languages of the portal, by language. A text that is not translated is
   * shown as the campaign's own field has it.
   */
  translations?: CampaignTranslationsInput | undefined;
  /** When the campaign was created. Read-only. */
  created_at?: string | undefined;
}

/** Filters and page size. */
export interface ListAffiliates {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only affiliates of this campaign. */
  campaign_id?: string | undefined;
  /** Only affiliates with this email, in any case. */
  email?: string | undefined;
  /** Only the affiliate who has or had this link code, in any case. */
  ref_code?: string | undefined;
  /** Only the affiliate with this promo code, in any case. */
  promo_code?: string | undefined;
  /** Only affiliates that this one recruited. */
  recruited_by?: string | undefined;
  /** Only affiliates with this tag, in any case. At most 40 characters. */
  tag?: string | undefined;
  /** Only affiliates who have this tier of their campaign. */
  tier_id?: string | undefined;
  /** Only approved, or only unapproved affiliates. */
  approved?: boolean | undefined;
  /** Only banned, or only not banned affiliates. */
  banned?: boolean | undefined;
}

/** Identifies the resource. */
export interface GetAffiliate {
  /** The affiliate's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateAffiliate {
  /** The affiliate's email. */
  email: string;
  /** First name. At most 100 characters. */
  first_name?: string | undefined;
  /** Last name. At most 100 characters. */
  last_name?: string | undefined;
  /** The address that payouts are sent to. Must not begin with + or -. */
  payout_email?: string | null | undefined;
  /**
   * The currency that the affiliate is paid in. Payout runs convert amounts that are due in other currencies.
   * Null: a payout for each currency.
   */
  payout_currency?: string | null | undefined;
  /** The code of the affiliate's link. Default: made from the name. */
  ref_code?: string | undefined;
  /** The affiliate's promo code, in campaigns that have promo codes. Default: made from the name. */
  promo_code?: string | undefined;
  /**
   * Whether the affiliate is approved: only then do its clicks and codes earn referrals. Default: true,
   * unless the campaign has `approval_needed`.
   */
  approved?: boolean | undefined;
  /**
   * The affiliate's answer at signup, when asked about themselves. The affiliate sees it in the portal. At
   * most 10000 characters.
   */
  details?: string | null | undefined;
  /**
   * Your team's note about the affiliate. The affiliate never sees it, and events do not contain it. At most
   * 10000 characters.
   */
  note?: string | null | undefined;
  /**
   * Your team's tags of the affiliate, in lower case, at most 20. Rules can ask for them. The affiliate never
   * sees them, and events do not contain them. At most 20 items.
   */
  tags?: string[] | undefined;
  /** The campaign that the affiliate belongs to. Default: the organization's default campaign. */
  campaign_id?: string | undefined;
  /**
   * The affiliate of the campaign who recruited this one and gets a percentage of its commissions. Never
   * changes. The campaign must have `recruiting`.
   */
  recruited_by?: string | null | undefined;
  /**
   * Whether an approved affiliate gets an email with an invitation to the portal. The approval of one who is
   * not approved sends it anyway. An address gets at most one a day. Default: false.
   */
  send_invitation?: boolean | undefined;
}

/**
 * The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are
 * accepted with their current values, so you can read an object, change it and send it back.
 */
export interface UpdateAffiliate {
  /** The affiliate's id. */
  id: string;
  /** The affiliate's email. */
  email?: string | undefined;
  /** First name. At most 100 characters. */
  first_name?: string | undefined;
  /** Last name. At most 100 characters. */
  last_name?: string | undefined;
  /** The address that payouts are sent to. Must not begin with + or -. */
  payout_email?: string | null | undefined;
  /**
   * The currency that the affiliate is paid in. Payout runs convert amounts that are due in other currencies.
   * Null: a payout for each currency.
   */
  payout_currency?: string | null | undefined;
  /** The code of the affiliate's link. */
  ref_code?: string | undefined;
  /** The affiliate's promo code, in campaigns that have promo codes. */
  promo_code?: string | undefined;
  /** Whether the affiliate is approved: only then do its clicks and codes earn referrals. */
  approved?: boolean | undefined;
  /**
   * The affiliate's answer at signup, when asked about themselves. The affiliate sees it in the portal. At
   * most 10000 characters.
   */
  details?: string | null | undefined;
  /**
   * Your team's note about the affiliate. The affiliate never sees it, and events do not contain it. At most
   * 10000 characters.
   */
  note?: string | null | undefined;
  /**
   * Your team's tags of the affiliate, in lower case, at most 20. Rules can ask for them. The affiliate never
   * sees them, and events do not contain them. At most 20 items.
   */
  tags?: string[] | undefined;
  /** Whether the affiliate is banned: its clicks, codes and payments then earn nothing. */
  banned?: boolean | undefined;
  /** Whether the affiliate gets a mail for each new paid referral. */
  new_paid_referral_notifications?: boolean | undefined;
  /** Links to share; with `code_mode` `link` or `both`. Read-only. */
  links?: AffiliateLink[] | undefined;
  /** Promo codes; with `code_mode` `coupon` or `both`. Read-only. */
  promo_codes?: AffiliatePromoCode[] | undefined;
  /** Clicks on the affiliate's links: each visitor counts once per link and hour (UTC). Read-only. */
  clicks?: number | undefined;
  /**
   * Answers to the campaign's signup form; empty for affiliates created in the dashboard or the API.
   * Read-only.
   */
  custom_fields?: CustomFieldAnswer[] | undefined;
  /** When the affiliate was created. Read-only. */
  created_at?: string | undefined;
  /**
   * When the affiliate left the program in the portal, which also sets `banned`; null: it did not, or is
   * back. Read-only.
   */
  left_at?: string | null | undefined;
  /**
   * The affiliate of the campaign who recruited this one and gets a percentage of its commissions. Never
   * changes. Null: nobody. Read-only.
   */
  recruited_by?: string | null | undefined;
  /** The campaign that the affiliate belongs to. Read-only. */
  campaign?: AffiliateCampaign | undefined;
}

/** The fields of the new resource. */
export interface CreditAffiliate {
  /** The payment, by any of its ids at the processor. At most 255 characters. */
  processor_payment_id: string;
  /** The affiliate who gets the customer or the payments. */
  affiliate_id: string;
  /** Whether the customer's earlier payments without a commission are credited, too. Default: `false`. */
  past_payments?: boolean | undefined;
  /** The customer's email, if the processor reported none. */
  email?: string | undefined;
  /** Why, for the organization's records. Affiliates do not see it. At most 500 characters. */
  reason: string;
  /** Returns the changes without making them. Default: `false`. */
  dry_run?: boolean | undefined;
  /**
   * Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`). At most 64
   * characters.
   */
  version?: string | undefined;
}

/** The resource or report to read. */
export interface GetAffiliateRule {
  /** The affiliate. */
  affiliate_id: string;
}

/** The fields of the new resource. */
export interface SetAffiliateRule {
  /** The affiliates: all of them get the rules, or none. At most 100 items. */
  affiliate_ids: string[];
  /**
   * Payments that were made from then on are decided by these rules. Default: now. ISO 8601 with an offset.
   */
  starts_at?: string | undefined;
  /** For your team; null for none. At most 500 characters. Default: `null`. */
  note?: string | null | undefined;
  /**
   * Rules that precede those of the campaign, in their order. Empty: from then on, it has none of its own. At
   * most 50 items.
   */
  rules: CommissionRuleInput[];
}

/** The fields of the new resource. */
export interface RemoveAffiliateRule {
  /** The affiliate. */
  affiliate_id: string;
  /** The start of the rules to remove. ISO 8601 with an offset. */
  starts_at: string;
}

/** The resource or report to read. */
export interface GetAffiliateTier {
  /** The affiliate. */
  affiliate_id: string;
}

/** Filters and page size. */
export interface ListReferrals {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only referrals of this affiliate. */
  affiliate_id?: string | undefined;
  /** Only the referral with this email, in any case. */
  email?: string | undefined;
  /** Only the referral of this customer. At most 255 characters. */
  processor_customer_id?: string | undefined;
  /** Only referrals with one of these statuses, separated by commas in a query. At most 20 items. */
  subscription_status?:
    | ("active" | "signed_up" | "trialing" | "canceled" | "past_due")[]
    | string
    | undefined;
}

/** Identifies the resource. */
export interface GetReferral {
  /** The referral's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateReferral {
  /** The affiliate who referred the customer. */
  affiliate_id: string;
  /** Email of the referred customer. */
  email: string;
  /** Customer ID at the payment processor. At most 255 characters. */
  processor_customer_id?: string | undefined;
  /** The state of the customer's subscription. Default: `signed_up`. */
  subscription_status?: "active" | "signed_up" | "trialing" | "canceled" | "past_due" | undefined;
}

/**
 * The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are
 * accepted with their current values, so you can read an object, change it and send it back.
 */
export interface UpdateReferral {
  /** The referral's id. */
  id: string;
  /** Email of the referred customer. Payments with it are of this referral, past ones included. */
  email?: string | undefined;
  /**
   * Customer ID at the payment processor. Payments with it are of this referral, past ones included. At most
   * 255 characters.
   */
  processor_customer_id?: string | null | undefined;
  /** The state of the customer's subscription. */
  subscription_status?: "active" | "signed_up" | "trialing" | "canceled" | "past_due" | undefined;
  /** When the customer signed up. Read-only. */
  signup_date?: string | undefined;
  /** When the referral was created. Read-only. */
  created_at?: string | undefined;
  /** The affiliate who referred the customer. Read-only. */
  affiliate?: Affiliate | undefined;
}

/** The fields of the new resource. */
export interface MoveReferral {
  /** The customer's referral. */
  referral_id: string;
  /** The affiliate who gets the customer or the payments. */
  affiliate_id: string;
  /** Whether commissions that are in no payout go to the affiliate, too. Default: `false`. */
  unpaid_commissions?: boolean | undefined;
  /** Why, for the organization's records. Affiliates do not see it. At most 500 characters. */
  reason: string;
  /** Returns the changes without making them. Default: `false`. */
  dry_run?: boolean | undefined;
  /**
   * Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`). At most 64
   * characters.
   */
  version?: string | undefined;
}

/** The fields of the new resource. */
export interface StopReferral {
  /** The customer's referral. */
  referral_id: string;
  /** Why, for the organization's records. Affiliates do not see it. At most 500 characters. */
  reason: string;
  /** Returns the changes without making them. Default: `false`. */
  dry_run?: boolean | undefined;
  /**
   * Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`). At most 64
   * characters.
   */
  version?: string | undefined;
}

/** Filters and page size. */
export interface ListCommissions {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only commissions of this affiliate. */
  affiliate_id?: string | undefined;
  /** Only commissions for this referral. */
  referral_id?: string | undefined;
  /** Only commissions with this payout status. */
  payout_status?: "not_paid" | "pending" | "paid" | "voided" | undefined;
  /** Only commissions in this state of the review. */
  review_state?: "none" | "pending" | "approved" | "rejected" | undefined;
  /** Only commissions that are a percentage of recruits' commissions, or only the others. */
  for_recruits?: boolean | undefined;
  /** Only commissions created at or after this time. ISO 8601 with an offset. */
  created_after?: string | undefined;
  /** Only commissions created before this time. ISO 8601 with an offset. */
  created_before?: string | undefined;
}

/** Identifies the resource. */
export interface GetCommission {
  /** The commission's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateCommission {
  /** The referral that the commission is for. */
  referral_id: string;
  /**
   * Amount of the transaction, in major units of `currency`; 0 for a lead and for a recruit's commission.
   * Greater than 0.
   */
  revenue_amount: number;
  /** The affiliate's earnings, in major units of `currency`. Greater than 0. */
  commission_amount: number;
  /** ISO 4217. Default: the organization's currency. */
  currency?: string | undefined;
  /** When the customer paid, or the lead happened. Default: the current time. ISO 8601 with an offset. */
  referral_date?: string | undefined;
  /**
   * Payment ID at the payment processor: of the invoice, payment intent, charge or checkout. All names of a
   * payment have one commission. At most 255 characters.
   */
  processor_payment_id?: string | undefined;
}

/**
 * The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are
 * accepted with their current values, so you can read an object, change it and send it back.
 */
export interface UpdateCommission {
  /** The commission's id. */
  id: string;
  /**
   * Amount of the transaction, in major units of `currency`; 0 for a lead and for a recruit's commission.
   * Greater than 0.
   */
  revenue_amount?: number | undefined;
  /** The affiliate's earnings, in major units of `currency`. Greater than 0. */
  commission_amount?: number | undefined;
  /** When the customer paid, or the lead happened. ISO 8601 with an offset. */
  referral_date?: string | undefined;
  /**
   * Payment ID at the payment processor: of the invoice, payment intent, charge or checkout. All names of a
   * payment have one commission. At most 255 characters.
   */
  processor_payment_id?: string | null | undefined;
  /**
   * `voided` reverses the commission. `not_paid` undoes that: the commission gets the amount that its payment
   * earns now, or the amounts that it shows if its payment earns nothing. Any other value is accepted only if
   * it is the current one.
   */
  payout_status?: "not_paid" | "pending" | "paid" | "voided" | undefined;
  /**
   * Of a voided commission. `true`: it stays voided when its payment earns again, as after a dispute that was
   * won. `false` takes that back: the commission gets the amount that its payment earns now. Omitted:
   * unchanged. A commission that you voided stays voided.
   */
  stays_voided?: boolean | undefined;
  /**
   * The event other than a payment that it is for: `signup`, `trial`, or the name of a conversion that was
   * reported. Null: it is for a payment. Read-only.
   */
  lead?: string | null | undefined;
  /**
   * The recruit's commission that this one is a percentage of, and follows. Null: this commission is for a
   * payment or a lead. Read-only.
   */
  recruit_commission_id?: string | null | undefined;
  /** ISO 4217 code in upper case. Read-only. */
  currency?: string | undefined;
  /**
   * The review before a payout: `none` (it needs none), `pending`, `approved` or `rejected`. A pending
   * commission is in no payout, and a rejected one is voided. Decided when the commission is created, by the
   * settings of its affiliate's campaign. Read-only.
   */
  review_state?: "none" | "pending" | "approved" | "rejected" | undefined;
  /** Why it needed a review, and who decided; null: it needed none. Read-only. */
  review?: CommissionReview | null | undefined;
  /** When the commission was created. Read-only. */
  created_at?: string | undefined;
  /** The affiliate who earns it. Read-only. */
  affiliate?: Affiliate | undefined;
  /** The customer. Read-only. */
  referral?: ReferralWithoutAffiliate | undefined;
  /** The payout that pays it; null while the commission is in no payout. Read-only. */
  payout?: ReducedPayout | null | undefined;
}

/** The fields of the new resource. */
export interface ApproveCommission {
  /** The commission's id. */
  id: string;
  /** For the members of the organization. Affiliates do not see it. At most 500 characters. */
  reason?: string | undefined;
}

/** The fields of the new resource. */
export interface RejectCommission {
  /** The commission's id. */
  id: string;
  /** For the members of the organization. Affiliates do not see it. At most 500 characters. */
  reason: string;
}

/** The fields of the new resource. */
export interface CreateConversion {
  /** The conversion's name, such as `demo_booked`, as the campaign's `lead_commissions` have it. */
  kind: string;
  /** The customer's referral. */
  referral_id?: string | undefined;
  /** Customer ID at the payment processor. At most 255 characters. */
  processor_customer_id?: string | undefined;
  /** The customer's email. */
  email?: string | undefined;
  /**
   * The click that the customer came by. With `email`, a customer without a referral becomes one of the
   * click's affiliate, as by a sign-up. Alone, it finds the referral of the page's sign-up after that click.
   */
  click_id?: string | undefined;
  /**
   * Your own id of the event, to find it again. Not used to tell reports apart: a referral has at most one
   * conversion of a name. At most 255 characters.
   */
  reference?: string | undefined;
  /** When it happened. Default: the current time. ISO 8601 with an offset. */
  occurred_at?: string | undefined;
}

/** Filters and page size. */
export interface ListLeads {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only leads of this affiliate. */
  affiliate_id?: string | undefined;
  /** Only leads of this referral. */
  referral_id?: string | undefined;
  /** Only leads of this kind: `signup`, `trial`, or the name of a conversion. */
  kind?: string | undefined;
  /** Only leads with this outcome. */
  outcome?:
    | "commission"
    | "no_lead_commission"
    | "affiliate_banned"
    | "affiliate_unapproved"
    | "self_referral"
    | "before_referral"
    | "daily_limit_reached"
    | "fixed_amount_other_currency"
    | "customer_stopped"
    | "referral_withdrawn"
    | undefined;
}

/** Identifies the resource. */
export interface GetLead {
  /** The lead's id. */
  id: string;
}

/** The resource or report to read. */
export interface GetDiscount {
  /** The visitor's click, from the cookie `findersfee_click`. */
  click_id: string;
}

/** Filters and page size. */
export interface ListAdjustments {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only adjustments of this affiliate. */
  affiliate_id?: string | undefined;
  /** Only adjustments that correct this commission. */
  commission_id?: string | undefined;
  /** Only adjustments in this payout. */
  payout_id?: string | undefined;
  /** Only adjustments with this payout status. */
  payout_status?: "not_paid" | "pending" | "paid" | "voided" | undefined;
}

/** Identifies the resource. */
export interface GetAdjustment {
  /** The adjustment's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateAdjustment {
  /** The affiliate that gets the adjustment. */
  affiliate_id: string;
  /**
   * In major units of `currency`. Positive: the affiliate gets it, such as a bonus. Negative: later payouts
   * deduct it, such as the clawback of a paid commission.
   */
  amount: number;
  /** ISO 4217. Default: the organization's currency. */
  currency?: string | undefined;
  /** Why. The affiliate reads it in the portal and in statements. At most 500 characters. */
  reason: string;
  /** The commission that it corrects, for reading. Must be of the same affiliate and currency. */
  commission_id?: string | undefined;
}

/**
 * The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are
 * accepted with their current values, so you can read an object, change it and send it back.
 */
export interface UpdateAdjustment {
  /** The adjustment's id. */
  id: string;
  /**
   * `voided` withdraws the adjustment, and `not_paid` restores it. Any other value is accepted only if it is
   * the current one.
   */
  payout_status?: "not_paid" | "pending" | "paid" | "voided" | undefined;
  /** The affiliate that gets the adjustment. Read-only. */
  affiliate_id?: string | undefined;
  /**
   * In major units of `currency`. Positive: the affiliate gets it, such as a bonus. Negative: later payouts
   * deduct it, such as the clawback of a paid commission. Read-only.
   */
  amount?: number | undefined;
  /** ISO 4217 code in upper case. Read-only. */
  currency?: string | undefined;
  /** Why. The affiliate reads it in the portal and in statements. Read-only. */
  reason?: string | undefined;
  /** The commission that it corrects, for reading; null for none. Read-only. */
  commission_id?: string | null | undefined;
  /** The payout that has it; null while it is in no payout. Read-only. */
  payout_id?: string | null | undefined;
  /** When it was created. It is due from then on. Read-only. */
  created_at?: string | undefined;
}

/** Filters and page size. */
export interface ListPayouts {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only payouts to this affiliate. */
  affiliate_id?: string | undefined;
  /** Only payouts with this status. */
  status?: "pending" | "processing" | "paid" | "failed" | "canceled" | undefined;
  /** Only payouts of this month, as `YYYY-MM`. */
  period?: string | undefined;
}

/** Identifies the resource. */
export interface GetPayout {
  /** The payout's id. */
  id: string;
}

/** Filters and page size. */
export interface ListOverrides {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
  /** Only overrides of this referral's customer. */
  referral_id?: string | undefined;
}

/** Identifies the resource. */
export interface GetOverride {
  /** The override's id. */
  id: string;
}

/** The fields of the new resource. */
export interface ResumeOverride {
  /** The override's id. */
  id: string;
  /** Why, for the organization's records. Affiliates do not see it. At most 500 characters. */
  reason: string;
  /** Returns the changes without making them. Default: `false`. */
  dry_run?: boolean | undefined;
  /**
   * Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`). At most 64
   * characters.
   */
  version?: string | undefined;
}

/** The fields of the new resource. */
export interface UndoOverride {
  /** The override's id. */
  id: string;
  /** Why, for the organization's records. Affiliates do not see it. At most 500 characters. */
  reason: string;
  /** Returns the changes without making them. Default: `false`. */
  dry_run?: boolean | undefined;
  /**
   * Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`). At most 64
   * characters.
   */
  version?: string | undefined;
}

/** Filters and page size. */
export interface ListBacktests {
  /** The page, from 1. Requires counting all rows; a cursor costs less. 1 to 100000. */
  page?: number | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
  /**
   * Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not
   * counted, so the cost does not grow with depth.
   */
  cursor?: string | undefined;
}

/** Identifies the resource. */
export interface GetBacktest {
  /** The backtest's id. */
  id: string;
}

/** The fields of the new resource. */
export interface CreateBacktest {
  /** A campaign, and the settings to try. Omitted ones are as they are now. */
  campaign?: BacktestCampaignInput | undefined;
  /** Rules of affiliates' own to try, which precede those of their campaign. At most 20 items. */
  affiliate_rules?: BacktestAffiliateRulesInput[] | undefined;
  /**
   * The number of months before the current one. The current one so far is included. 3 to 24. Default: `12`.
   */
  months?: number | undefined;
}

/** Identifies the resource. */
export interface CancelBacktest {
  /** The backtest's id. */
  id: string;
}

/** Filters and page size. */
export interface ListEvents {
  /**
   * Only events after this one: the id of the last event that you received, or the `next_cursor` of the
   * previous page.
   */
  after?: string | undefined;
  /**
   * An alias of `after`, as in other lists: the `next_cursor` of the previous page, or empty for the first
   * page.
   */
  cursor?: string | undefined;
  /**
   * The order of the events. To start from now, fetch the latest event with `newest_first` and `limit=1`, and
   * pass its id as `after`. Default: `oldest_first`.
   */
  order?: "oldest_first" | "newest_first" | undefined;
  /** Only events created at or after this time. ISO 8601 with an offset. */
  created_after?: string | undefined;
  /** Only events of these types, separated by commas in a query. At most 20 items. */
  types?:
    | (
        | "affiliate.created"
        | "affiliate.approved"
        | "affiliate.tier_changed"
        | "referral.created"
        | "referral.converted"
        | "commission.created"
      )[]
    | string
    | undefined;
  /** The maximum number of rows. 1 to 100. Default: `10`. */
  limit?: number | undefined;
}

/** Identifies the resource. */
export interface GetEvent {
  /** The event's id: the `webhook-id` of its deliveries. */
  id: string;
}

/** The resource or report to read. */
export interface GetPerformance {
  /** The dimension. The report has a row for each of its values. */
  dimension:
    | "affiliate"
    | "campaign"
    | "link"
    | "landing_page"
    | "referrer"
    | "sub_id"
    | "visitor_country"
    | "customer_country";
  /** Only affiliates that are in this campaign now. */
  campaign_id?: string | undefined;
  /** Only this affiliate. */
  affiliate_id?: string | undefined;
  /** The first day, in the organization's time zone. Default: all time, which has no period before. */
  from?: string | undefined;
  /** The day after the last one. */
  until: string;
  /** The first day of the period before. Default: as many days before `from`. */
  previous_from?: string | undefined;
  /** The day after its last one. Default: `from`. */
  previous_until?: string | undefined;
  /** The currency of the amounts, which are never added over currencies. Default: the organization's. */
  currency?: string | undefined;
  /** The metric to sort rows by. Default: `clicks`. */
  sort?:
    | "clicks"
    | "signups"
    | "conversions"
    | "revenue_amount"
    | "commission_amount"
    | "lost_amount"
    | "refunds"
    | "conversion_rate"
    | "earnings_per_click"
    | undefined;
  /** `desc`: the most first. Rows without a rate come last. Default: `desc`. */
  direction?: "asc" | "desc" | undefined;
  /**
   * Part of the value; of affiliates, of their name or email; of campaigns, of their name; of countries, also
   * the beginning of a word of their name. At most 100 characters.
   */
  search?: string | undefined;
  /**
   * The languages of the names of countries in `search`, separated by commas, besides English. At most 100
   * characters.
   */
  search_languages?: string | undefined;
  /** The most rows. 1 to 200. Default: `50`. */
  limit?: number | undefined;
  /** The number of rows before the first one. 0 to 100000. Default: `0`. */
  offset?: number | undefined;
}

/** The resource or report to read. */
export interface GetPerformanceSeries {
  /** The dimension of `key`. Needed with it. */
  dimension?:
    | "affiliate"
    | "campaign"
    | "link"
    | "landing_page"
    | "referrer"
    | "sub_id"
    | "visitor_country"
    | "customer_country"
    | undefined;
  /** The `key` of the row to return points of. Default: of everything. At most 400 characters. */
  key?: string | undefined;
  /** The time between points. Weeks start on Monday. Default: `day`. */
  unit?: "day" | "week" | "month" | undefined;
  /** Only affiliates that are in this campaign now. */
  campaign_id?: string | undefined;
  /** Only this affiliate. */
  affiliate_id?: string | undefined;
  /** The first day, in the organization's time zone. */
  from: string;
  /** The day after the last one. */
  until: string;
  /** The first day of the period before. Default: as many days before `from`. */
  previous_from?: string | undefined;
  /** The day after its last one. Default: `from`. */
  previous_until?: string | undefined;
  /** The currency of the amounts, which are never added over currencies. Default: the organization's. */
  currency?: string | undefined;
}

/** The fields of the new resource. */
export interface CreatePortalToken {
  /** The affiliate that the token opens the portal for. */
  affiliate_id: string;
}
