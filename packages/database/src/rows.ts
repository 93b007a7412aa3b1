/*
 * Rows as statements return them: columns by their own names, joined rows nested under their nouns.
 * `readers.ts` reads them.
 */

import type { Profile } from "@findersfee/contract/affiliates/fields";
import type { SignalAction, SignalName } from "@findersfee/contract/attribution/signals";
import type { ByLanguage, Translation } from "@findersfee/contract/campaigns/translations";
import type { RuleScheduleRow } from "./campaigns/rule-sets.ts";
import type { PayoutConversionRow } from "./payouts/conversions.ts";

export interface CampaignRow {
  id: string;
  name: string;
  website_url: string | null;
  commission_type: "percentage" | "fixed";
  commission_value: bigint;
  is_default: boolean;
  limit_type: "none" | "months" | "payments";
  limit_amount: number | null;
  code_mode: "link" | "coupon" | "both";
  reference_coupon: string | null;
  custom_commission_type: "none" | "product";
  custom_commissions: CustomCommissionRow[];
  welcome_message: string | null;
  approval_needed: boolean;
  collect_details: boolean;
  details_text: string | null;
  custom_fields: CustomFieldRow[];
  hide_emails: boolean;
  dashboard_text: string | null;
  cookie_duration: number;
  first_payment_enabled: boolean;
  first_payment_type: "percentage" | "fixed";
  first_payment_value: bigint;
  customers: "new" | "any";
  attribution: "last_click" | "first_click";
  commission_cap: boolean;
  skip_prorations: boolean;
  lead_commissions: LeadCommissionRow[];
  /** Which new commissions wait for a review. */
  review: "none" | "all" | "first" | "flagged";
  /** Commissions above it wait, too; null: their amounts do not matter. */
  review_above_minor: bigint | null;
  /** Null: only a person approves. */
  review_approve_after_days: number | null;
  link_discount_enabled: boolean;
  link_discount_description: string | null;
  link_discount_shows_affiliate: boolean;
  /** In the form of the API. */
  translations: ByLanguage<Translation>;
  /** Who may join in the portal. */
  joining: "listed" | "by_link" | "closed";
  /** The rules that precede its fields, the tiers' first; null: none. */
  rule_set_id: string | null;
  /** Null: none. */
  tiers: TiersRow | null;
  /** Whether affiliates see how they compare, and which names they see. */
  leaderboard: "none" | "initials" | "names";
  /** The percentage that affiliates get of their recruits' commissions, and for how long; null: nothing. */
  recruiting_rate: bigint | null;
  recruiting_months: number | null;
  /** Null: all are off. */
  signals: SignalSettingsRow | null;
  created_at: Date;
}

export interface RuledCampaignRow extends CampaignRow {
  /** Those of `rule_set_id`, for `readRules`; null: none. */
  rules: string | null;
}

export interface CustomCommissionRow {
  product_id: string;
  type: "percentage" | "fixed";
  /** As `commission_value`, within the safe range of a JSON number. */
  value: number;
}

/** A campaign's actions for signals of fraud. */
export interface SignalSettingsRow {
  /** Those that are not off. */
  actions: Partial<Record<SignalName, SignalAction>>;
  /** The hosts that it lists, in lower case. */
  referrers: string[];
}

/** The tiers of a campaign. Their commissions are rules with the steps' ids. */
export interface TiersRow {
  measure: "customers" | "revenue" | "commissions";
  period: "month" | "last_90_days" | "all_time";
  /** In rising order. */
  steps: TierStepRow[];
}

export interface TierStepRow {
  id: string;
  name: string;
  /** Customers, or minor units of the organization's currency, within the safe range of a JSON number. */
  from: number;
  /** Minor units, in the same range; null: none. */
  bonus: number | null;
}

/** A fixed commission for a sign-up, a trial or a reported conversion. */
export interface LeadCommissionRow {
  kind: string;
  /** Minor units of the organization's currency, within the safe range of a JSON number. */
  value: number;
  /** Those of an affiliate in a day (UTC) that earn; null: no limit. */
  daily_limit: number | null;
}

export interface CustomFieldRow {
  id: string;
  label: string;
  type: "text" | "textarea" | "select" | "multi_select";
  options: string[];
  required: boolean;
}

export interface CodeRow {
  kind: "link" | "promo";
  code: string;
  external_id: string | null;
}

export interface CustomFieldAnswerRow {
  id: string;
  label: string;
  value: string;
}

export interface AffiliateRow extends Profile {
  id: string;
  clicks: bigint;
  approved: boolean;
  banned: boolean;
  custom_fields: CustomFieldAnswerRow[];
  new_paid_referral_notifications: boolean;
  created_at: Date;
  /** Null: not erased. */
  erased_at: Date | null;
  /** Null: did not leave, or is back. */
  left_at: Date | null;
  /** In the order of the alphabet. */
  tags: string[];
  /** Its own rules, oldest first. */
  rule_schedule: RuleScheduleRow[];
  /** The affiliate who recruited this one; null: none. */
  recruited_by: string | null;
  /** That affiliate's percentage of commissions for payments before `recruited_until`. */
  recruiting_rate: bigint | null;
  recruited_until: Date | null;
  codes: CodeRow[];
  /** The address of the organization's links at its own host name; null: they lead to the campaign's website. */
  link_url: string | null;
  campaign: CampaignRow;
}

export interface ReferralRow {
  id: string;
  email: string;
  subscription_status: "active" | "signed_up" | "trialing" | "canceled" | "past_due";
  signup_date: Date;
  processor_customer_id: string | null;
  converted_at: Date | null;
  created_at: Date;
}

export interface ReferralWithAffiliateRow extends ReferralRow {
  affiliate: AffiliateRow;
  /** The time at which its customer turned out to be another referral's; null: in force. */
  replaced_at: Date | null;
}

export interface ReducedPayoutRow {
  id: string;
  affiliate_name: string;
  payout_email: string | null;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  created_at: Date;
}

export interface PayoutRow extends ReducedPayoutRow {
  status: "pending" | "processing" | "paid" | "failed" | "canceled";
  method: "manual" | "paypal" | "wise";
  /** The parts from other currencies; null: none. */
  conversions: PayoutConversionRow[] | null;
  affiliate: AffiliateRow;
}

export type ReviewState = "none" | "pending" | "approved" | "rejected";

export interface CommissionReviewRow {
  /** The commission's. */
  id: string;
  reasons: string[];
  created_at: Date;
  /** When a worker approves it; null: never, or it was decided. */
  due_at: Date | null;
  decided_by: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
}

export interface CommissionRow {
  id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  payout_status: "not_paid" | "pending" | "paid" | "voided";
  referral_date: Date;
  processor_payment_id: string | null;
  /** The kind of lead that it is for; null: it is for a payment. */
  lead: string | null;
  /** The commission of a recruit that it is a percentage of; null: it is for a payment or a lead. */
  recruit_commission_id: string | null;
  review_state: ReviewState;
  /** Null: it needed none. */
  review: CommissionReviewRow | null;
  created_at: Date;
  affiliate: AffiliateRow;
  referral: ReferralRow;
  payout: ReducedPayoutRow | null;
}
