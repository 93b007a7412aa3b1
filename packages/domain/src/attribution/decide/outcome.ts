import type { FactReference } from "../facts/fact-names.ts";
import type { OverrideFact, PaymentMade } from "../facts/payment-fact.ts";
import type { CommissionAmounts } from "../facts/refunds.ts";
import type { AffiliateSnapshot } from "../facts/stored-fact.ts";
import type { CandidateResult } from "./attribute.ts";
import type { EarningStep } from "./earn.ts";
import type { ManualCommission } from "./history.ts";
import type { Observations, PaymentSignal } from "./signals.ts";

/** Why a payment earns nothing. */
const noCommissionReasons = [
  /** No affiliate referred the customer. */
  "no_referral",
  "affiliate_banned",
  "affiliate_unapproved",
  "click_expired",
  "click_after_checkout",
  "self_referral",
  /** The customer paid before without an affiliate, and the campaign accepts only new customers. */
  "existing_customer",
  /** The referral was created later, manually or by a sign-up. */
  "paid_before_referral",
  /** A referral needs an email, and none is known. */
  "no_email",
  "nothing_paid",
  /** The campaign pays no commission on changes of a running subscription. */
  "proration",
  /** It has a signal of fraud, and the campaign refuses such payments. */
  "refused_by_signal",
  "limit_reached",
  /** A person stopped the customer from earning. */
  "customer_stopped",
  "fixed_amount_other_currency",
  /** A fixed amount is to be converted, and no exchange rate of the payment's day is known. */
  "exchange_rate_missing",
  "commission_is_zero",
  /** The rates of its parts add up to less than zero. */
  "commission_is_negative",
  /** All products of the payment have the rate 0. */
  "product_excluded",
  /** Rules give its lines nothing. */
  "excluded_by_rule",
  /** Products have their own rates, and the payment's products are unknown. */
  "products_unknown",
  /** A manual commission exists for this payment. */
  "commission_exists",
] as const;

export type NoCommissionReason = (typeof noCommissionReasons)[number];

/** The required state of a referral. */
export interface ReferralOutcome {
  /** The id of the existing referral; null: to be created. */
  id: string | null;
  email: string;
  customer_id: string | null;
  /** The affiliate before any move. */
  affiliate_id: string;
  /** The affiliate of a person's last move of the customer; null: nobody moved it. */
  moved_to: string | null;
  /** Null: manual, or created by a signed sign-up. */
  attributed_by: FactReference | null;
  /** The time from which its payments count. */
  since: Date;
  signup_date: Date;
  /** The status of its subscriptions; null: none has started. */
  processor_status: "active" | "trialing" | "past_due" | "canceled" | null;
  /** When the first trial after it was created began, or else the first one before; null: none did. */
  trial_at: Date | null;
  /** The latest one that a processor reported: ISO 3166, two letters. */
  customer_country: string | null;
  /** The candidates for the customer so far. */
  candidates: readonly CandidateResult[];
}

/** A person's act that a decision follows. */
export interface AppliedOverride {
  id: string;
  type: OverrideFact["type"];
  /** As in the audit log. */
  created_by: string;
  created_at: string;
}

/** People's decisions about one lead. */
export interface LeadOverrides {
  /** The affiliate that a person moved it to; null: its referral's. */
  affiliate_id: string | null;
  is_stopped: boolean;
}

/** People's decisions about a customer, for leads. */
export interface CustomerOverrides {
  ofLead: (lead: { occurred_at: Date; commission_id: string | null }) => LeadOverrides;
}

/** The explanation of a decision, as it is stored and shown. */
export interface Explanation {
  /** The candidates in order: those when the referral was created, and later ones. */
  candidates: CandidateResult[];
  /** Commissions that the referral earned before. */
  earned_before: number;
  steps: EarningStep[];
  /** The commission before rounding, in minor units. */
  exact: string | null;
  /** Omitted: nobody decided about the payment. */
  override?: AppliedOverride;
  /** Omitted: it has none. */
  signals?: PaymentSignal[];
}

/** A manual commission after the refunds and disputes of its payment, with its affiliate. */
export interface ManualOutcome {
  commission: ManualCommission;
  affiliate_id: string;
  /** Null: it is void. */
  netAmounts: CommissionAmounts | null;
}

/** The outcome of a payment. */
export interface PaymentOutcome {
  reference: FactReference;
  processor: string;
  payment: PaymentMade;
  outcome: "commission" | NoCommissionReason;
  referral: ReferralOutcome | null;
  affiliate: AffiliateSnapshot | null;
  /** The commission before refunds and disputes. */
  commission_minor: bigint;
  reversed_minor: bigint;
  /** The current commission. Null: it is void, or there is none. */
  netAmounts: CommissionAmounts | null;
  /** The manual commission that has the payment's place. Null: none. */
  manual: ManualOutcome | null;
  explanation: Explanation;
  /** The observations of its signals. */
  observed: Observations | null;
}

export interface CustomerOutcome {
  referrals: ReferralOutcome[];
  /** Rows of referrals that were merged into others: no customer is found by them any more. */
  superseded: string[];
  payments: PaymentOutcome[];
  /** The manual commissions that people moved, and that have no payment. */
  moved: ManualOutcome[];
  /** People's decisions about the customer; null: none. */
  overrides: CustomerOverrides | null;
}
