// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.

import type {
  AffiliateLink,
  AffiliatePromoCode,
  AffiliateTierChange,
  CommissionReview,
  CustomFieldAnswer,
  FormerTier,
  ReducedPayout,
  ReferralWithoutAffiliate,
} from "./resources.ts";

export interface ReducedCampaign {
  /** Identifies the campaign. */
  id: string;
  /** The campaign's name. */
  name: string;
  /** Whether `commission_amount` is a percentage of the revenue or a fixed amount. */
  commission_type: "percentage" | "fixed";
  /**
   * With `commission_type` `percentage`: percent of the revenue, over 0 to 100, at most 4 decimals. With
   * `fixed`: an amount in major units of the organization's currency.
   */
  commission_amount: number;
}

export interface AffiliateEventData {
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
  /** The campaign that the affiliate belongs to. */
  campaign: ReducedCampaign;
}

export interface AffiliateTierEventData {
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
  /** The campaign that the affiliate belongs to. */
  campaign: ReducedCampaign;
  /** The tier that the affiliate has from now on. */
  tier: AffiliateTierChange;
  /** The tier that it had in this campaign until now; null: none. */
  former_tier: FormerTier | null;
}

export interface ReducedAffiliate {
  /** Identifies the affiliate. */
  id: string;
  /** The affiliate's email. */
  email: string;
  /** First name. */
  first_name: string;
  /** Last name. */
  last_name: string;
}

export interface ReferralEventData {
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
  affiliate: ReducedAffiliate;
}

export interface CommissionEventData {
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
  affiliate: ReducedAffiliate;
}

/** A new affiliate was created, in the dashboard, by the API or by signup in the portal. */
export interface AffiliateCreatedEvent {
  /** The type of the event. */
  type: "affiliate.created";
  /** The resource, as of the event. */
  data: AffiliateEventData;
}

/** An affiliate was approved. */
export interface AffiliateApprovedEvent {
  /** The type of the event. */
  type: "affiliate.approved";
  /** The resource, as of the event. */
  data: AffiliateEventData;
}

/**
 * An affiliate got another tier of its campaign, or has none any more, as measured after the end of a day.
 */
export interface AffiliateTierChangedEvent {
  /** The type of the event. */
  type: "affiliate.tier_changed";
  /** The resource, as of the event. */
  data: AffiliateTierEventData;
}

/** A new referral was tracked, by the payment processor, dashboard, API or tracking script. */
export interface ReferralCreatedEvent {
  /** The type of the event. */
  type: "referral.created";
  /** The resource, as of the event. */
  data: ReferralEventData;
}

/** A referral received its first commission. */
export interface ReferralConvertedEvent {
  /** The type of the event. */
  type: "referral.converted";
  /** The resource, as of the event. */
  data: ReferralEventData;
}

/** A commission was generated, by the payment processor, dashboard or API. */
export interface CommissionCreatedEvent {
  /** The type of the event. */
  type: "commission.created";
  /** The resource, as of the event. */
  data: CommissionEventData;
}

/** The body of a webhook delivery; `type` names one of the event types. */
export type WebhookEvent =
  | AffiliateCreatedEvent
  | AffiliateApprovedEvent
  | AffiliateTierChangedEvent
  | ReferralCreatedEvent
  | ReferralConvertedEvent
  | CommissionCreatedEvent;

/** The event types. */
export type EventType =
  | "affiliate.created"
  | "affiliate.approved"
  | "affiliate.tier_changed"
  | "referral.created"
  | "referral.converted"
  | "commission.created";

/** The fields that the feed adds to an event. */
export interface EventRecord {
  /** Identifies the event: the `webhook-id` of its deliveries. */
  id: string;
  /** When the event occurred. */
  created_at: string;
}

/** An event in the feed; `type` and `data` equal the webhook's body. */
export type Event = EventRecord & WebhookEvent;
