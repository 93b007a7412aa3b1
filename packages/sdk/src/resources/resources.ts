// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

export interface Campaign {
  /** Identifies the campaign. */
  id: string;
  /** The campaign's name. */
  name: string;
  /** When the campaign was created. */
  created_at: string;
  /** The page that affiliate links open. Required when `code_mode` is `link` or `both`. */
  website_url: string | null;
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type: "percentage" | "fixed";
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency.
   */
  commission_amount: number;
  /**
   * Whether affiliates join this campaign by default. An organization has at most one default campaign:
   * setting it here unsets it elsewhere.
   */
  is_default: boolean;
  /**
   * The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a
   * number of `payments`.
   */
  limit_type: "none" | "months" | "payments";
  /** The number of months or payments. Required unless `limit_type` is `none`. */
  limit_amount: number | null;
  /** How affiliates refer: `link` makes affiliate links, `coupon` promo codes, `both` makes both. */
  code_mode: "link" | "coupon" | "both";
  /**
   * ID of the payment processor's coupon that promo codes apply. Required when `code_mode` is `coupon` or
   * `both`.
   */
  reference_coupon: string | null;
  /** `product`: `custom_commissions` replace the rate for their products. */
  custom_commission_type: "none" | "product";
  /**
   * Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a
   * product.
   */
  custom_commissions: CustomCommission[];
  /** Sent to an affiliate on approval. */
  welcome_message: string | null;
  /** Whether new affiliates wait for approval. */
  approval_needed: boolean;
  /** Whether the signup form asks for details. */
  collect_details: boolean;
  /** The text above the field for details on the signup form. */
  details_text: string | null;
  /** Additional fields on the signup form. */
  custom_fields: CampaignCustomField[];
  /** Whether affiliates see only part of their referrals' emails. */
  hide_emails: boolean;
  /** Shown on the affiliates' dashboard. */
  dashboard_text: string | null;
  /** The number of days in which a click can earn a referral, 1 to 365. */
  cookie_duration: number;
  /** When enabled, replaces the rate for the first commission of each referral. */
  first_payment_commission: FirstPaymentCommission;
  /**
   * Which customers affiliates can refer: `new` excludes customers who already paid without an affiliate,
   * `any` includes them.
   */
  customers: "new" | "any";
  /**
   * Which of a customer's clicks on the campaign's links earns the referral: `last_click` or `first_click`,
   * within `cookie_duration`.
   */
  attribution: "last_click" | "first_click";
  /** Whether a fixed commission is limited to the amount of its payment. */
  commission_cap: boolean;
  /**
   * Whether proration payments earn no commission: Stripe invoices with the billing reason
   * `subscription_update`.
   */
  skip_prorations: boolean;
  /**
   * Rules that precede all rates, in their order. The first rule that matches a line of a payment decides the
   * line. The campaign's rates decide the other lines.
   */
  rules: CommissionRule[];
  /**
   * Tiers that affiliates reach by their customers, revenue or commissions. A worker measures each affiliate
   * after the end of each day in the organization's time zone; a payment is decided with the affiliate's tier
   * at the time of the payment. Null: no tiers.
   */
  tiers: CampaignTiers | null;
  /**
   * Whether affiliates see in the portal how they compare with others of the campaign, and whether they see
   * `names` or `initials`. `none`: no leaderboard.
   */
  leaderboard: "none" | "initials" | "names";
  /**
   * The share that affiliates get of the commissions of affiliates that they recruit by their link. Null: no
   * share. A recruit keeps the terms of the day on which it was created.
   */
  recruiting: Recruiting | null;
  /**
   * The action for payments with signs of fraud, for each sign: `off`, `flag` (the decision shows it, and a
   * commission waits with `review` `flagged`), `hold` (the commission waits for a review) or `refuse` (no
   * commission). A change applies to payments that are processed later.
   */
  signals: CampaignSignals;
  /**
   * Fixed commissions for events other than payments: sign-ups, trials, and conversions that your backend
   * reports. Each kind earns once per referral; a change does not affect earlier leads.
   */
  lead_commissions: LeadCommission[];
  /**
   * Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate
   * until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions
   * that affiliates get later, new or moved.
   */
  review: "none" | "all" | "first" | "flagged";
  /**
   * Commissions above this amount wait for a review, too, in major units of the organization's currency;
   * commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.
   */
  review_above_amount: number | null;
  /**
   * The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a
   * person approves.
   */
  review_approve_after_days: number | null;
  /**
   * The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without
   * being typed. Has an effect only with `code_mode` `both`.
   */
  link_discount: LinkDiscount;
  /**
   * Texts for affiliates in further languages of the portal, by language. A text that is not translated is
   * shown as the campaign's own field has it.
   */
  translations: CampaignTranslations;
}

export interface CustomCommission {
  /** ID of the product at the payment processor. */
  product_id: string;
  /** Whether `amount` is a percentage of the revenue or a fixed amount. */
  type: "percentage" | "fixed";
  /**
   * With `type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With `fixed`: an
   * amount in major units of the organization's currency. 0 excludes the product.
   */
  amount: number;
}

export interface CampaignCustomField {
  /** Identifies the field within the campaign. */
  id: string;
  /** The question as shown at signup. */
  label: string;
  /** The kind of input. */
  type: "text" | "textarea" | "select" | "multi_select";
  /** The choices of `select` and `multi_select`. */
  options: string[];
  /** Whether an answer is required. */
  required: boolean;
}

export interface FirstPaymentCommission {
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

export interface CommissionRule {
  /** Identifies the rule, in decisions, too. */
  id: string;
  /** For your team, and in decisions; null for none. */
  name: string | null;
  /** All of them must hold. None: it matches all. */
  conditions: CommissionRuleConditions;
  /** The reward of the rule. */
  reward: CommissionReward;
}

export interface CommissionRuleRange {
  /** The first one, from 1 on. Absent: the first of all. */
  from?: number;
  /** The last one. Absent: without an end. */
  to?: number;
}

export interface CommissionRuleAmount {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** At least, in major units. Absent: any. */
  from?: number;
  /** Less than that, in major units. Absent: any. */
  below?: number;
}

export interface CommissionRuleMetadata {
  /** The key. */
  key: string;
  /** One of them matches. */
  values: string[];
}

export interface CommissionRuleConditions {
  /** Products at the processor. The rule then decides the lines of these alone. */
  products?: string[];
  /** How the lines are billed. The rule then decides such lines alone. */
  intervals?: ("day" | "week" | "month" | "year" | "one_time")[];
  /**
   * Which of the referral's payments that earned a commission, or that a rule gave nothing: `{ to: 1 }` is
   * the first one, `{ from: 2 }` are renewals.
   */
  payments?: CommissionRuleRange;
  /** In which months since the first of these payments: `{ to: 12 }` is the first year. */
  months?: CommissionRuleRange;
  /** The customer's country with the payment, ISO 3166. */
  countries?: string[];
  /** The payment's currency, ISO 4217. */
  currencies?: string[];
  /** The revenue of payments in a currency. Payments in others do not match. */
  amount?: CommissionRuleAmount;
  /** A key of the payment's metadata at the processor, and the values that match. */
  metadata?: CommissionRuleMetadata;
  /** Promo codes that were used for the payment, in any case. */
  promo_codes?: string[];
  /** Tiers of the affiliate at the time of the payment, by their ids. */
  tiers?: string[];
  /** Tags of the affiliate when the payment was first decided; one of them matches. */
  tags?: string[];
}

export interface CommissionRewardAmount {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** Major units. */
  amount: number;
}

export interface CommissionReward {
  /** A `percentage` of the revenue, a `fixed` amount, or `nothing`. */
  type: "percentage" | "fixed" | "nothing";
  /** With `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. Otherwise null. */
  amount: number | null;
  /** With `fixed`: one for each currency; it counts once for a payment. Otherwise empty. */
  amounts: CommissionRewardAmount[];
}

export interface CampaignTiers {
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
  /** In rising order of `from`, at least one. The last one that was reached counts. */
  steps: CampaignTierStep[];
}

export interface CampaignTierStep {
  /** Identifies the tier in rules, and in the history of affiliates. */
  id: string;
  /** As affiliates see it. */
  name: string;
  /** The number to reach: customers, or major units of the organization's currency. */
  from: number;
  /**
   * The reward for payments in this tier. It precedes the campaign's rules. Null: as in the tier before, and
   * without tiers.
   */
  commission: CommissionReward | null;
  /**
   * An amount in the organization's currency that affiliates get once when they reach it, each month with the
   * period `month`. A number that was reached before the bonus was offered gives none. Null: none.
   */
  bonus: number | null;
}

export interface Recruiting {
  /** The percentage of a recruit's commissions, over 0 and at most 100, with at most 4 decimals. */
  percent: number;
  /** The number of months after the recruit's creation in which payments count, 1 to 120. */
  months: number;
}

export interface CampaignSignals {
  /** Customer and affiliate have emails of one domain, other than those of public mail providers. */
  shared_domain: "off" | "flag" | "hold" | "refuse";
  /** The customer's email is of a provider of disposable addresses. */
  disposable_email: "off" | "flag" | "hold" | "refuse";
  /** Another affiliate is paid at the same email. */
  shared_payout_email: "off" | "flag" | "hold" | "refuse";
  /**
   * The landing page's address says that the click came from an ad: it has `gclid`, `wbraid`, `gbraid` or
   * `msclkid`, or `utm_medium` is `cpc`, `ppc` or `paidsearch`.
   */
  paid_search: "off" | "flag" | "hold" | "refuse";
  /** The click came from one of `referrers`. */
  listed_referrer: "off" | "flag" | "hold" | "refuse";
  /** The click came from a network from which the affiliate used the portal on the same day (UTC). */
  shared_network: "off" | "flag" | "hold" | "refuse";
  /**
   * The customer paid with a card with which the affiliate, as a customer of yours, has paid. Only Stripe
   * reports cards, and only those of payments that are processed while a campaign has the signal are known.
   */
  shared_card: "off" | "flag" | "hold" | "refuse";
  /**
   * Within the minute around the click, the affiliate's links had at least 20 clicks from a quarter as many
   * networks or fewer, or at least 300 clicks.
   */
  many_clicks: "off" | "flag" | "hold" | "refuse";
  /**
   * Within the ten minutes around the customer's sign-up, at least 20 customers of the affiliate signed up.
   */
  many_signups: "off" | "flag" | "hold" | "refuse";
  /**
   * At least 5 and at least a tenth of the affiliate's last 100 payments were refunded or disputed. That is
   * at least 3 times the share of all others' among the organization's last 1,000.
   */
  many_refunds: "off" | "flag" | "hold" | "refuse";
  /** Hosts of `listed_referrer`, each with its subdomains, such as coupon sites. */
  referrers: string[];
}

export interface LeadCommission {
  /**
   * `signup`: a new referral. `trial`: the referral's first trial, as the payment processor reports it. Any
   * other name: a conversion that your backend reports by that name.
   */
  kind: string;
  /** The commission, in major units of the organization's currency. */
  amount: number;
  /** The most leads of this kind that earn an affiliate a commission in a day (UTC); null: no limit. */
  daily_limit: number | null;
}

export interface LinkDiscount {
  /** Whether the discount applies by link. */
  enabled: boolean;
  /**
   * The visitors' discount, in the words of your pages; null: your pages say only that there is a discount.
   */
  description: string | null;
  /** Whether your pages may show visitors the name of the affiliate with the link that they followed. */
  show_affiliate: boolean;
}

export interface CampaignTranslation {
  /** The campaign's name in the language; null: not translated. */
  name: string | null;
  /** The welcome message in the language; null: not translated. */
  welcome_message: string | null;
  /** The text above the field for details in the language; null: not translated. */
  details_text: string | null;
  /** The text on the affiliates' dashboard in the language; null: not translated. */
  dashboard_text: string | null;
  /** The questions with translations. */
  custom_fields: CampaignCustomFieldTranslation[];
}

export interface CampaignCustomFieldTranslation {
  /** The question: the `id` of one of the `custom_fields`. */
  id: string;
  /** The question in the language; null: not translated. */
  label: string | null;
  /**
   * The choices in the language, one for each of the question's `options`, in their order; null: not
   * translated. Empty: none is translated.
   */
  options: (string | null)[];
}

export interface CampaignTranslations {
  /** The texts in English; null: none is translated. */
  en: CampaignTranslation | null;
  /** The texts in German; null: none is translated. */
  de: CampaignTranslation | null;
}

export interface Pagination {
  /** The page, from 1; null with a cursor. */
  page: number | null;
  /** The maximum number of rows on a page. */
  limit: number;
  /** Rows on all pages; null with a cursor. */
  total_count: number | null;
  /** Pages in all; null with a cursor. */
  total_pages: number | null;
  /** Whether rows follow this page. */
  has_more: boolean;
  /** The cursor of the rows that follow; null when none do. */
  next_cursor: string | null;
}

export interface Affiliate {
  /** Identifies the affiliate. */
  id: string;
  /** The affiliate's email. */
  email: string;
  /** First name. */
  first_name: string;
  /** Last name. */
  last_name: string;
  /** The address that payouts are sent to. */
  payout_email: string | null;
  /**
   * The currency that the affiliate is paid in. Payout runs convert amounts that are due in other currencies.
   * Null: a payout for each currency.
   */
  payout_currency: string | null;
  /** Links to share; with `code_mode` `link` or `both`. */
  links: AffiliateLink[];
  /** Promo codes; with `code_mode` `coupon` or `both`. */
  promo_codes: AffiliatePromoCode[];
  /** Clicks on the affiliate's links: each visitor counts once per link and hour (UTC). */
  clicks: number;
  /** Whether the affiliate is approved: only then do its clicks and codes earn referrals. */
  approved: boolean;
  /** Whether the affiliate is banned: its clicks, codes and payments then earn nothing. */
  banned: boolean;
  /** The affiliate's answer at signup, when asked about themselves. The affiliate sees it in the portal. */
  details: string | null;
  /** Answers to the campaign's signup form; empty for affiliates created in the dashboard or the API. */
  custom_fields: CustomFieldAnswer[];
  /** Whether the affiliate gets a mail for each new paid referral. */
  new_paid_referral_notifications: boolean;
  /** When the affiliate was created. */
  created_at: string;
  /**
   * When the affiliate left the program in the portal, which also sets `banned`; null: it did not, or is
   * back.
   */
  left_at: string | null;
  /**
   * The affiliate of the campaign who recruited this one and gets a percentage of its commissions. Never
   * changes. Null: nobody.
   */
  recruited_by: string | null;
  /** Your team's note about the affiliate. The affiliate never sees it, and events do not contain it. */
  note: string | null;
  /**
   * Your team's tags of the affiliate, in lower case, at most 20. Rules can ask for them. The affiliate never
   * sees them, and events do not contain them.
   */
  tags: string[];
  /** The campaign that the affiliate belongs to. */
  campaign: AffiliateCampaign;
}

export interface AffiliateLink {
  /** The address to share. */
  url: string;
  /** The code in it. */
  code: string;
}

export interface AffiliatePromoCode {
  /** The code that customers enter at the checkout. */
  code: string;
  /**
   * Promotion code ID at the payment processor; null until it exists there: do not hand the code out before.
   */
  external_id: string | null;
}

export interface CustomFieldAnswer {
  /** The campaign's custom field. */
  id: string;
  /** The question as shown at signup. */
  label: string;
  /** The answer; empty when it was skipped. */
  value: string;
}

export interface AffiliateCampaign {
  /** Identifies the campaign. */
  id: string;
  /** The campaign's name. */
  name: string;
  /** When the campaign was created. */
  created_at: string;
  /** The page that affiliate links open. Required when `code_mode` is `link` or `both`. */
  website_url: string | null;
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type: "percentage" | "fixed";
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency.
   */
  commission_amount: number;
  /**
   * Whether affiliates join this campaign by default. An organization has at most one default campaign:
   * setting it here unsets it elsewhere.
   */
  is_default: boolean;
  /**
   * The limit on a referral's commissions: `none`, a number of `months` from the first commission, or a
   * number of `payments`.
   */
  limit_type: "none" | "months" | "payments";
  /** The number of months or payments. Required unless `limit_type` is `none`. */
  limit_amount: number | null;
  /** How affiliates refer: `link` makes affiliate links, `coupon` promo codes, `both` makes both. */
  code_mode: "link" | "coupon" | "both";
  /**
   * ID of the payment processor's coupon that promo codes apply. Required when `code_mode` is `coupon` or
   * `both`.
   */
  reference_coupon: string | null;
  /** `product`: `custom_commissions` replace the rate for their products. */
  custom_commission_type: "none" | "product";
  /**
   * Rates for individual products; the rest of a payment uses the campaign's rate. A rate of 0 excludes a
   * product.
   */
  custom_commissions: CustomCommission[];
  /** Sent to an affiliate on approval. */
  welcome_message: string | null;
  /** Whether new affiliates wait for approval. */
  approval_needed: boolean;
  /** Whether the signup form asks for details. */
  collect_details: boolean;
  /** The text above the field for details on the signup form. */
  details_text: string | null;
  /** Additional fields on the signup form. */
  custom_fields: CampaignCustomField[];
  /** Whether affiliates see only part of their referrals' emails. */
  hide_emails: boolean;
  /** Shown on the affiliates' dashboard. */
  dashboard_text: string | null;
  /** The number of days in which a click can earn a referral, 1 to 365. */
  cookie_duration: number;
  /** When enabled, replaces the rate for the first commission of each referral. */
  first_payment_commission: FirstPaymentCommission;
  /**
   * Which customers affiliates can refer: `new` excludes customers who already paid without an affiliate,
   * `any` includes them.
   */
  customers: "new" | "any";
  /**
   * Which of a customer's clicks on the campaign's links earns the referral: `last_click` or `first_click`,
   * within `cookie_duration`.
   */
  attribution: "last_click" | "first_click";
  /** Whether a fixed commission is limited to the amount of its payment. */
  commission_cap: boolean;
  /**
   * Whether proration payments earn no commission: Stripe invoices with the billing reason
   * `subscription_update`.
   */
  skip_prorations: boolean;
  /**
   * Fixed commissions for events other than payments: sign-ups, trials, and conversions that your backend
   * reports. Each kind earns once per referral; a change does not affect earlier leads.
   */
  lead_commissions: LeadCommission[];
  /**
   * Which new commissions wait for a review before a payout: `none`, `all`, `first`: those of an affiliate
   * until one of them has passed, or `flagged`: those with a signal of fraud. A change applies to commissions
   * that affiliates get later, new or moved.
   */
  review: "none" | "all" | "first" | "flagged";
  /**
   * Commissions above this amount wait for a review, too, in major units of the organization's currency;
   * commissions in other currencies, which cannot be compared, do as well. Null: amounts do not matter.
   */
  review_above_amount: number | null;
  /**
   * The number of days after which a commission in review is approved automatically, 1 to 365. Null: only a
   * person approves.
   */
  review_approve_after_days: number | null;
  /**
   * The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without
   * being typed. Has an effect only with `code_mode` `both`.
   */
  link_discount: LinkDiscount;
  /**
   * Texts for affiliates in further languages of the portal, by language. A text that is not translated is
   * shown as the campaign's own field has it.
   */
  translations: CampaignTranslations;
}

export interface OverrideResult {
  /** Null in a dry run. */
  override: Override | null;
  /** Names these changes: the same `version` in the request makes these and no others. */
  version: string;
  /** The number of payments with a changed decision. */
  payment_count: number;
  /** These payments, the latest first; at most 100. */
  payments: OverriddenPayment[];
  /** The number of manual commissions that get another affiliate. */
  commission_count: number;
  /** These commissions, the latest first; at most 100. */
  commissions: MovedCommission[];
  /** The number of commissions in payouts that get a reversal, which the next payout nets. */
  reversal_count: number;
  /** The change of each affiliate's unpaid balance. */
  balances: OverriddenBalance[];
}

export interface Override {
  /** Identifies the override. */
  id: string;
  /**
   * `move`: the customer has another affiliate. `credit`: payments earn for an affiliate. `stop`: the
   * customer earns nothing.
   */
  type: "move" | "credit" | "stop";
  /** Who made it, as the audit log names actors. */
  created_by: string;
  /** The name of the user or key; null when it was deleted. */
  created_by_name: string | null;
  /** When it was made. */
  created_at: string;
  /** The affiliate of a move or credit; null for a stop. */
  affiliate_id: string | null;
  /** The payments of a credit. */
  processor_payment_ids: string[];
  /** Why it was made, for the organization. */
  reason: string;
  /** When a stop ended; null: it is in force, or it is no stop. */
  ended_at: string | null;
  /** When it was undone; null: it counts. */
  undone_at: string | null;
}

export interface OverriddenPayment {
  /** Payment ID at the payment processor. */
  processor_payment_id: string;
  /** When the customer paid. */
  paid_at: string;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The decision so far. */
  before: OverrideDecision;
  /** The decision with the override. */
  after: OverrideDecision;
}

export interface OverrideDecision {
  /** `commission`, or the reason for none. */
  outcome: string;
  /** Before any reversal, in major units; 0 for none. */
  commission_amount: number;
  /** The affiliate; null for none. */
  affiliate_id: string | null;
}

export interface MovedCommission {
  /** Identifies the commission. */
  id: string;
  /** Major units: 20 is $20.00. */
  commission_amount: number;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The affiliate so far. */
  before_affiliate_id: string;
  /** The affiliate with the override. */
  after_affiliate_id: string;
}

export interface OverriddenBalance {
  /** The affiliate. */
  affiliate_id: string;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The amount that the affiliate gains or loses, in major units. */
  difference: number;
}

export interface AffiliateCommissionRules {
  /** The affiliate. */
  affiliate_id: string;
  /** Each one lasts until the next one starts, oldest first. Empty: the campaign's rules apply. */
  periods: CommissionRulePeriod[];
}

export interface CommissionRulePeriod {
  /** Payments that were made from then on are decided by these rules. */
  starts_at: string;
  /** For your team; null for none. */
  note: string | null;
  /**
   * Rules that precede those of the campaign, in their order. Empty: from then on, it has none of its own.
   */
  rules: CommissionRule[];
}

export interface SetCommissionRules {
  /** Payments that were made from then on are decided by these rules. */
  starts_at: string;
  /** The number of affiliates that got the rules. */
  affiliates: number;
}

export interface AffiliateTiers {
  /** The affiliate. */
  affiliate_id: string;
  /** Null: the campaign has no tiers. */
  progress: AffiliateTierProgress | null;
  /** The newest 100 changes, newest first. Each one counts until the next one. */
  changes: AffiliateTierChange[];
}

export interface AffiliateTierProgress {
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
  /**
   * The affiliate's number in the period, as of an hour or two ago: customers, or major units of the
   * organization's currency.
   */
  number: number;
}

export interface AffiliateTierChange {
  /** The tier; null: none. */
  id: string | null;
  /** As it was called then; null: none. */
  name: string | null;
  /** When it changed. */
  since: string;
  /** The affiliate's campaign then. */
  campaign_id: string;
  /** The measured number: customers, or major units of the organization's currency. */
  number: number;
  /** The last day that was measured, in the organization's time zone. */
  measured_on: string;
}

export interface Referral {
  /** Identifies the referral. */
  id: string;
  /** Email of the referred customer. */
  email: string;
  /** The state of the customer's subscription. */
  subscription_status: "active" | "signed_up" | "trialing" | "canceled" | "past_due";
  /** When the customer signed up. */
  signup_date: string;
  /** Customer ID at the payment processor. */
  processor_customer_id: string | null;
  /** When the referral was created. */
  created_at: string;
  /** The affiliate who referred the customer. */
  affiliate: Affiliate;
}

export interface Commission {
  /** Identifies the commission. */
  id: string;
  /** Amount of the transaction, in major units of `currency`; 0 for a lead and for a recruit's commission. */
  revenue_amount: number;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The affiliate's earnings, in major units of `currency`. */
  commission_amount: number;
  /**
   * `not_paid`, `pending` (in an open payout), `paid`, or `voided`. An update can switch between `not_paid`
   * and `voided`.
   */
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  /** When the customer paid, or the lead happened. */
  referral_date: string;
  /** When the commission was created. */
  created_at: string;
  /**
   * Payment ID at the payment processor: of the invoice, payment intent, charge or checkout. All names of a
   * payment have one commission.
   */
  processor_payment_id: string | null;
  /**
   * The event other than a payment that it is for: `signup`, `trial`, or the name of a conversion that was
   * reported. Null: it is for a payment.
   */
  lead: string | null;
  /**
   * The recruit's commission that this one is a percentage of, and follows. Null: this commission is for a
   * payment or a lead.
   */
  recruit_commission_id: string | null;
  /**
   * The review before a payout: `none` (it needs none), `pending`, `approved` or `rejected`. A pending
   * commission is in no payout, and a rejected one is voided. Decided when the commission is created, by the
   * settings of its affiliate's campaign.
   */
  review_state: "none" | "pending" | "approved" | "rejected";
  /** Why it needed a review, and who decided; null: it needed none. */
  review: CommissionReview | null;
  /** The customer. */
  referral: ReferralWithoutAffiliate;
  /** The payout that pays it; null while the commission is in no payout. */
  payout: ReducedPayout | null;
  /** The affiliate who earns it. */
  affiliate: Affiliate;
}

export interface CommissionReview {
  /**
   * Why it needed a review: `campaign_reviews_all`, `first_of_affiliate` (no commission of the affiliate had
   * passed), `above_amount`, `other_currency` (its amount cannot be compared with the campaign's), or
   * `signal:` and the name of a signal of fraud. More may be added.
   */
  reasons: string[];
  /** Since when it waits, or waited. */
  since: string;
  /** When it is approved automatically; null: only a person approves it, or it was decided. */
  approves_at: string | null;
  /** `user <id>`, `key <id>`, or `automatic approval`; null while nobody has decided. */
  decided_by: string | null;
  /** When it was decided. */
  decided_at: string | null;
  /** The reason that a person gave. Affiliates do not see it. */
  reason: string | null;
}

export interface ReferralWithoutAffiliate {
  /** Identifies the referral. */
  id: string;
  /** Email of the referred customer. */
  email: string;
  /** The state of the customer's subscription. */
  subscription_status: "active" | "signed_up" | "trialing" | "canceled" | "past_due";
  /** When the customer signed up. */
  signup_date: string;
  /** Customer ID at the payment processor. */
  processor_customer_id: string | null;
  /** When the referral was created. */
  created_at: string;
}

export interface ReducedPayout {
  /** Identifies the payout. */
  id: string;
  /** The affiliate's name when the payout was created. */
  affiliate_name: string;
  /** The address that the payout is sent to. */
  payout_email: string | null;
  /** The amount paid, in major units of `currency`. */
  amount: number;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The month of the payout's run, as `YYYY-MM`, in the organization's time zone then. */
  period: string;
  /** The number of commissions and adjustments in the payout. */
  payment_count: number;
  /** When the payout was created. */
  created_at: string;
}

export interface Conversion {
  /** Identifies the conversion. */
  id: string;
  /** The conversion's name, such as `demo_booked`, as the campaign's `lead_commissions` have it. */
  kind: string;
  /**
   * Your own id of the event, to find it again. Not used to tell reports apart: a referral has at most one
   * conversion of a name.
   */
  reference: string | null;
  /** When it happened. */
  occurred_at: string;
  /** When it was first reported. */
  created_at: string;
  /** The customer's referral. */
  referral_id: string;
  /** The affiliate who has the conversion. */
  affiliate_id: string;
  /**
   * `commission`, or why it earns nothing. `commission`: It earned a commission. `no_lead_commission`: The
   * affiliate's campaign pays nothing for this kind of lead. `affiliate_banned`: The affiliate was banned.
   * `affiliate_unapproved`: The affiliate was not approved. `self_referral`: The customer is the affiliate.
   * `before_referral`: It happened before the customer was referred. `daily_limit_reached`: The affiliate had
   * reached the campaign's limit of such leads for the day. `fixed_amount_other_currency`: The organization's
   * currency has changed since. `customer_stopped`: Commissions for this customer were stopped.
   * `referral_withdrawn`: The referral was withdrawn: its customer belongs to another referral or to none, or
   * became the affiliate's by a credit.
   */
  outcome:
    | "commission"
    | "no_lead_commission"
    | "affiliate_banned"
    | "affiliate_unapproved"
    | "self_referral"
    | "before_referral"
    | "daily_limit_reached"
    | "fixed_amount_other_currency"
    | "customer_stopped"
    | "referral_withdrawn";
  /** The commission that it earned; null: none. */
  commission_id: string | null;
}

export interface Lead {
  /** Identifies the lead. A conversion has the same id. */
  id: string;
  /** `signup`, `trial`, or the name of a conversion, such as `demo_booked`. */
  kind: string;
  /** Your own id of a conversion, as you reported it; null: none, or no conversion. */
  reference: string | null;
  /** When it happened. */
  occurred_at: string;
  /** When it was recorded. */
  created_at: string;
  /** The customer's referral. */
  referral_id: string;
  /** The affiliate who has the lead. */
  affiliate_id: string;
  /**
   * `commission`, or why it earns nothing. `commission`: It earned a commission. `no_lead_commission`: The
   * affiliate's campaign pays nothing for this kind of lead. `affiliate_banned`: The affiliate was banned.
   * `affiliate_unapproved`: The affiliate was not approved. `self_referral`: The customer is the affiliate.
   * `before_referral`: It happened before the customer was referred. `daily_limit_reached`: The affiliate had
   * reached the campaign's limit of such leads for the day. `fixed_amount_other_currency`: The organization's
   * currency has changed since. `customer_stopped`: Commissions for this customer were stopped.
   * `referral_withdrawn`: The referral was withdrawn: its customer belongs to another referral or to none, or
   * became the affiliate's by a credit.
   */
  outcome:
    | "commission"
    | "no_lead_commission"
    | "affiliate_banned"
    | "affiliate_unapproved"
    | "self_referral"
    | "before_referral"
    | "daily_limit_reached"
    | "fixed_amount_other_currency"
    | "customer_stopped"
    | "referral_withdrawn";
  /**
   * The commission that it earned; null: none. It stays with a lead that earns nothing any more: it is voided
   * then, or reversed.
   */
  commission_id: string | null;
}

export interface ClickDiscount {
  /** The click's affiliate; null: the click does not count. */
  affiliate: ClickAffiliate | null;
  /** The discount that the visitor gets; null: none. */
  discount: ClickDiscountCode | null;
  /**
   * Why there is no discount; null: there is one. `unknown_click`: no click that counts has the id.
   * `no_link_discount`: the campaign gives none by link. `not_ready`: the promo code does not exist at the
   * payment processor yet, or gives another coupon than the campaign's.
   */
  reason: "unknown_click" | "no_link_discount" | "not_ready" | null;
}

export interface ClickAffiliate {
  /**
   * The affiliate's name; null: the campaign's `link_discount` does not show it, or the affiliate has given
   * none.
   */
  name: string | null;
  /** The code of the link that the visitor followed. */
  code: string;
}

export interface ClickDiscountCode {
  /**
   * ID of the promotion code at Stripe, for `discounts` of a Checkout session; null: the promo code is at
   * another processor.
   */
  promotion_code: string | null;
  /** The affiliate's promo code, as customers type it. */
  code: string;
  /** The description of the campaign's `link_discount`. */
  description: string | null;
}

export interface Adjustment {
  /** Identifies the adjustment. */
  id: string;
  /** The affiliate that gets the adjustment. */
  affiliate_id: string;
  /**
   * In major units of `currency`. Positive: the affiliate gets it, such as a bonus. Negative: later payouts
   * deduct it, such as the clawback of a paid commission.
   */
  amount: number;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** Why. The affiliate reads it in the portal and in statements. */
  reason: string;
  /** The commission that it corrects, for reading; null for none. */
  commission_id: string | null;
  /**
   * `not_paid`, `pending` (in an open payout), `paid` (or deducted), or `voided` (withdrawn). An update can
   * switch between `not_paid` and `voided`.
   */
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  /** The payout that has it; null while it is in no payout. */
  payout_id: string | null;
  /** When it was created. It is due from then on. */
  created_at: string;
}

export interface Payout {
  /** Identifies the payout. */
  id: string;
  /** The affiliate's name when the payout was created. */
  affiliate_name: string;
  /** The address that the payout is sent to. */
  payout_email: string | null;
  /** The amount paid, in major units of `currency`. */
  amount: number;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The month of the payout's run, as `YYYY-MM`, in the organization's time zone then. */
  period: string;
  /** The number of commissions and adjustments in the payout. */
  payment_count: number;
  /** When the payout was created. */
  created_at: string;
  /** The state of the payment. */
  status: "pending" | "processing" | "paid" | "failed" | "canceled";
  /** How the payout is paid; `paypal` and `wise` use that provider's file export. */
  method: "manual" | "paypal" | "wise";
  /**
   * The parts of `amount` that were converted from other currencies. The rest was earned in the payout's
   * currency.
   */
  conversions: PayoutConversion[];
  /** The payee. */
  affiliate: Affiliate;
}

export interface PayoutConversion {
  /** The amount that was due, in major units of `currency`. Negative if reversals exceed earnings. */
  amount: number;
  /** The currency of the commissions and adjustments. */
  currency: string;
  /** The same in the payout's currency, rounded half away from zero. */
  converted_amount: number;
  /** Units of the payout's currency for one of `currency`, rounded to 10 decimals. */
  rate: string;
  /** The rates that the amount was calculated with. */
  exchange_rates: UsedExchangeRate[];
}

export interface UsedExchangeRate {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** Units of the currency for 1 EUR, as a decimal number. */
  rate: string;
  /** `ecb`: the European Central Bank; `file` and `manual`: from the organization. */
  source: string;
  /** The day that the rate was published for. */
  day: string;
}

export interface BacktestSummary {
  /** Identifies the backtest. */
  id: string;
  /** Whether it runs, or how it ended. A running one is canceled when another one starts, too. */
  state: "running" | "finished" | "failed" | "canceled";
  /** The campaign of the draft; null: none. */
  campaign_id: string | null;
  /** The number of affiliates with rules of their own in the draft. */
  affiliates: number;
  /** Payments that were made from then on are decided by the draft. */
  from: string;
  /** Payments before then; when it was started. */
  until: string;
  /** Payments that have been decided. */
  done: number;
  /** All payments of the period; null: not counted yet. */
  total: number | null;
  /** Why it failed; while it runs, why its last attempt failed. Null: nothing failed. */
  reason: string | null;
  /** When it was started. */
  created_at: string;
  /** When it ended; null: it runs. */
  finished_at: string | null;
}

export interface Backtest {
  /** Identifies the backtest. */
  id: string;
  /** Whether it runs, or how it ended. A running one is canceled when another one starts, too. */
  state: "running" | "finished" | "failed" | "canceled";
  /** The campaign of the draft; null: none. */
  campaign_id: string | null;
  /** The number of affiliates with rules of their own in the draft. */
  affiliates: number;
  /** Payments that were made from then on are decided by the draft. */
  from: string;
  /** Payments before then; when it was started. */
  until: string;
  /** Payments that have been decided. */
  done: number;
  /** All payments of the period; null: not counted yet. */
  total: number | null;
  /** Why it failed; while it runs, why its last attempt failed. Null: nothing failed. */
  reason: string | null;
  /** When it was started. */
  created_at: string;
  /** When it ended; null: it runs. */
  finished_at: string | null;
  /** Null until it has finished. */
  result: BacktestResult | null;
}

export interface BacktestResult {
  /** The number of payments that the draft decides. */
  payments: number;
  /** Those with another outcome or commission. */
  changed_payments: number;
  /** The cost by the month of the payments and by currency, oldest first. */
  months: BacktestMonth[];
  /** The affiliates who would lose most, at most 25 for each currency. */
  losing: BacktestAffiliate[];
  /** The affiliates who would gain most, at most 25 for each currency. */
  gaining: BacktestAffiliate[];
  /** Payments that would be decided differently: those with the largest difference, at most 20. */
  examples: BacktestExample[];
  /**
   * Payments of the campaign with a commission that waits for a review. `first`: payments with the first
   * commission of an affiliate.
   */
  reviews: BacktestReviews[];
  /** Keys of metadata that were not recorded in the whole period: rules that name them match less. */
  unrecorded_metadata: BacktestMetadataKey[];
  /**
   * With rules for billing intervals: payments with lines of an unknown interval, which such rules do not
   * match.
   */
  payments_without_interval: number;
}

export interface BacktestMonth {
  /** In UTC. */
  month: string;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The number of payments that the draft decides. */
  payments: number;
  /** Their commissions as they are, net of refunds, in major units. */
  before_amount: number;
  /** The amount with the draft, net of refunds, in major units. */
  after_amount: number;
}

export interface BacktestAffiliate {
  /** The affiliate. */
  affiliate_id: string;
  /** The affiliate's email. */
  email: string;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** The number of payments that the draft decides. */
  payments: number;
  /** Their commissions as they are, net of refunds, in major units. */
  before_amount: number;
  /** The amount with the draft, net of refunds, in major units. */
  after_amount: number;
}

export interface BacktestExample {
  /** As the dashboard names the payment. */
  payment_decision_id: string | null;
  /** Payment ID at the payment processor. */
  processor_payment_id: string;
  /** When the customer paid. */
  paid_at: string;
  /** The affiliate. */
  affiliate_id: string;
  /** ISO 4217 code in upper case. */
  currency: string;
  /** Major units: 20 is $20.00. */
  revenue_amount: number;
  /** The decision as it is. */
  before: BacktestDecision;
  /** The decision with the draft. */
  after: BacktestDecision;
}

export interface BacktestDecision {
  /** `commission`, or the reason for none. */
  outcome:
    | "commission"
    | "no_referral"
    | "affiliate_banned"
    | "affiliate_unapproved"
    | "click_expired"
    | "click_after_checkout"
    | "self_referral"
    | "existing_customer"
    | "paid_before_referral"
    | "no_email"
    | "nothing_paid"
    | "proration"
    | "refused_by_signal"
    | "limit_reached"
    | "customer_stopped"
    | "fixed_amount_other_currency"
    | "exchange_rate_missing"
    | "commission_is_zero"
    | "commission_is_negative"
    | "product_excluded"
    | "excluded_by_rule"
    | "products_unknown"
    | "commission_exists";
  /** Net of refunds. */
  commission_amount: number;
}

export interface BacktestReviews {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** With the settings as they are now. */
  before_payments: number;
  /** The commissions of these payments. */
  before_amount: number;
  /** With the draft. */
  after_payments: number;
  /** The commissions of these payments. */
  after_amount: number;
}

export interface BacktestMetadataKey {
  /** A key that the draft's rules name. */
  key: string;
  /** When it was first recorded with payments; null: it never was. */
  recorded_since: string | null;
}

export interface FormerTier {
  /** The tier; null: none. */
  id: string | null;
  /** As it was called then; null: none. */
  name: string | null;
}

export interface Performance {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** A page of them, in the chosen order. */
  rows: PerformanceRow[];
  /** The number of rows on all pages. */
  rows_total: number;
  /** The metrics of all rows. */
  present: PerformanceMetrics;
  /** The metrics of all rows in the period before. */
  previous: PerformanceMetrics | null;
}

export interface PerformanceRow {
  /** Identifies the row in the dimension. */
  key: string;
  /**
   * `none`: without a value, as sales without a click. `other`: values beyond the 300 new ones of a month,
   * together.
   */
  kind: "value" | "none" | "other";
  /** For affiliates and campaigns, their id. Null unless `kind` is `value`. */
  value: string | null;
  /** The name of an affiliate or a campaign. */
  name: string | null;
  /** The metrics of the period. */
  present: PerformanceMetrics;
  /** The metrics of the period before; null for all time. */
  previous: PerformanceMetrics | null;
}

export interface PerformanceMetrics {
  /** A visitor's clicks on a link count once an hour. */
  clicks: number;
  /** Referrals by their sign-up date. */
  signups: number;
  /** Referrals by the time of their first commission. */
  conversions: number;
  /** The revenue of commissions that are not voided, by the date of the payment, less refunds. */
  revenue_amount: number;
  /** The same commissions' amounts. */
  commission_amount: number;
  /** The amount that refunds, disputes and corrections took from commissions, by their time. */
  lost_amount: number;
  /**
   * The refunds, disputes and corrections of `lost_amount`, less those that were restored, such as disputes
   * that were won.
   */
  refunds: number;
  /** Conversions by clicks, as in 0.05; null without clicks. */
  conversion_rate: number | null;
  /** Commission by clicks, to four decimal places; null without clicks. */
  earnings_per_click: number | null;
}

export interface PerformanceSeries {
  /** ISO 4217 code in upper case. */
  currency: string;
  /** A line for each key. */
  series: PerformanceLine[];
}

export interface PerformanceLine {
  /** The key of the row; null: the series is of everything. */
  key: string | null;
  /** The points of the period, in their order. */
  points: PerformancePoint[];
  /** The points of the period before; null for all time. */
  previous_points: PerformancePoint[] | null;
}

export interface PerformancePoint {
  /** The first day of the day, week (from Monday) or month in the period. */
  day: string;
  /** A visitor's clicks on a link count once an hour. */
  clicks: number;
  /** Referrals by their sign-up date. */
  signups: number;
  /** Referrals by the time of their first commission. */
  conversions: number;
  /** The revenue of commissions that are not voided, by the date of the payment, less refunds. */
  revenue_amount: number;
  /** The same commissions' amounts. */
  commission_amount: number;
  /** The amount that refunds, disputes and corrections took from commissions, by their time. */
  lost_amount: number;
  /**
   * The refunds, disputes and corrections of `lost_amount`, less those that were restored, such as disputes
   * that were won.
   */
  refunds: number;
  /** Conversions by clicks, as in 0.05; null without clicks. */
  conversion_rate: number | null;
  /** Commission by clicks, to four decimal places; null without clicks. */
  earnings_per_click: number | null;
}

export interface PortalToken {
  /** Identifies the token in logs; it opens nothing. */
  id: string;
  /** The affiliate that it opens the portal for. */
  affiliate_id: string;
  /** The secret. Give it only to the page in which the affiliate is signed in. */
  token: string;
  /** When the token expires: two minutes after its creation. The session that it opens lasts an hour. */
  expires_at: string;
  /** The address of the frame. It ends with the token after `#`, which browsers do not send. */
  url: string;
}

export interface Issue {
  /** The field, as in `custom_fields[0].label`; empty for the whole request. */
  path: string;
  /** The problem, for people. */
  message: string;
}
