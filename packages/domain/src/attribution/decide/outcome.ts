import type { PaymentMade } from "../facts/payment-fact.ts";
import type { FactReference } from "../facts/references.ts";
import type { CommissionAmounts } from "../facts/refunds.ts";
import type { AffiliateSnapshot } from "../facts/terms.ts";
import type { CandidateResult } from "./candidate-results.ts";
import type { EarningStep } from "./earn.ts";

/** Why a payment earns nothing. */
const noCommissionReasons = [
  /** Nobody brought the customer. */
  "no_referral",
  "affiliate_banned",
  "affiliate_unapproved",
  "click_expired",
  "click_after_checkout",
  "self_referral",
  /** The customer paid before without an affiliate, and the campaign is for new customers. */
  "existing_customer",
  /** The referral was made later, by hand or by a sign-up. */
  "paid_before_referral",
  /** A referral needs an email, and none is known. */
  "no_email",
  "nothing_paid",
  /** The campaign pays nothing for changes of a running subscription. */
  "proration",
  "limit_reached",
  "fixed_amount_other_currency",
  "commission_is_zero",
  /** The rates of its parts add up to less than zero. */
  "commission_is_negative",
  /** Products have rates of their own, and the products of the payment are not known. */
  "products_unknown",
  /** Somebody made one by hand for this payment. */
  "commission_exists",
] as const;

export type NoCommissionReason = (typeof noCommissionReasons)[number];

/** A referral as it should be. */
export interface ReferralOutcome {
  /** Of one that is there already; null: to be made. */
  id: string | null;
  email: string;
  customer_id: string | null;
  affiliate_id: string;
  /** Null: made by hand, or by a signed sign-up. */
  attributed_by: FactReference | null;
  /** From when on its payments count. */
  since: Date;
  signup_date: Date;
  /** Where its subscriptions stand; null: it has none that has begun. */
  processor_status: "active" | "trialing" | "past_due" | "canceled" | null;
}

/** How a decision came about, as it is stored and shown. */
export interface Explanation {
  /** Who may have brought the customer, in order: when it became a referral, and since. */
  candidates: CandidateResult[];
  /** Commissions that the referral had earned before. */
  earned_before: number;
  steps: EarningStep[];
  /** The commission before rounding, in minor units. */
  exact: string | null;
}

/** What is decided about a payment. */
export interface PaymentOutcome {
  reference: FactReference;
  processor: string;
  payment: PaymentMade;
  outcome: "commission" | NoCommissionReason;
  referral: ReferralOutcome | null;
  affiliate: AffiliateSnapshot | null;
  /** Before anything was taken back. */
  commission_minor: bigint;
  reversed_minor: bigint;
  /** What the commission is now. Null: it is void, or there is none. */
  netAmounts: CommissionAmounts | null;
  explanation: Explanation;
}

export interface CustomerOutcome {
  referrals: ReferralOutcome[];
  /** Rows of referrals that turned out to be others: nobody is known by them any more. */
  superseded: string[];
  payments: PaymentOutcome[];
}
