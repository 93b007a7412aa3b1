import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { ExchangeRate } from "../../exchange-rates/rate.ts";
import type { FactReference } from "../facts/fact-names.ts";
import type { NamedCandidate } from "../facts/named-candidates.ts";
import type { OverrideFact, PaymentMade } from "../facts/payment-fact.ts";
import type { CommissionAmounts } from "../facts/refunds.ts";
import type { Relations } from "../facts/relate.ts";
import type { AffiliateSnapshot, Candidate, Snapshot, StoredFact } from "../facts/stored-fact.ts";
import type { Observe } from "./signals.ts";

/** An existing referral. */
export interface KnownReferral {
  id: string;
  email: string;
  processor_customer_id: string | null;
  /** The affiliate before any move. */
  affiliate_id: string;
  signup_date: Date;
  /** The fact that created it; null: it is manual, or a signed sign-up created it. */
  attributed_by: FactReference | null;
  /** Whether its names are its own. Otherwise they come from reported facts and are computed again. */
  email_is_manual: boolean;
  customer_id_is_manual: boolean;
}

/** A commission that was not created from a processor's payment, with the amounts that people set last. */
export interface ManualCommission extends CommissionAmounts {
  id: string;
  referral_id: string;
  affiliate_id: string;
  currency: string;
  referral_date: Date;
  created_at: Date;
  /** The refunded amount of the payment that the amounts take into account; 0 for those at its creation. */
  included_minor: bigint;
  /** Null: nothing was changed since it was created. */
  correction: Correction | null;
}

/** Manual corrections of a commission; null: that field was not corrected. */
export interface Correction {
  revenue_minor: bigint | null;
  commission_minor: bigint | null;
  /** The refunded amount of the payment that the amounts take into account. */
  reversed_minor: bigint;
  /** When the amounts were set. */
  amounts_at: Date | null;
  /** True: void. False: restored, although the payment earns nothing. */
  voided: boolean | null;
  /** When it was voided or restored. */
  voided_at: Date | null;
  referral_date: Date | null;
}

/** Data about a payment other than its facts. */
export interface KnownPayment {
  /** When it was first decided; null: it has no decision. */
  decided_first_at: Date | null;
  /** The referral and the commission of the decision. */
  referral_id: string | null;
  commission_id: string | null;
  correction: Correction | null;
  /** The manual commission that names the payment. */
  manual: ManualCommission | null;
  /** Other manual commissions that turned out to name the same payment: the first one counts. */
  repeated: ManualCommission[];
  /** A manual commission that keeps its names, and is of another payment now. */
  kept_by: string | null;
  /** The commission of another payment has this payment's id. */
  has_other_commission: boolean;
}

/** A payment of which refunds and disputes took something back. */
export interface ReversedPayment {
  paid_minor: bigint;
  /** What was taken back by a time; null: by now. */
  reversedAt: (moment: Date | null) => bigint;
}

/** Another customer's payment that has a manual commission. */
export interface PaymentOfOther extends ReversedPayment {
  /** The same as it was decided last. If both customers are attributed now, the payment's changes the commission. */
  decided: ReversedPayment;
}

/** All input of one customer's attribution. The outcome depends on nothing else. */
export interface CustomerHistory {
  /** The organization's currency, ISO 4217; fixed amounts are in it. */
  currency: string;
  facts: readonly StoredFact[];
  /** The facts grouped by payment. */
  relations: Relations;
  referrals: readonly KnownReferral[];
  manual_commissions: readonly ManualCommission[];
  /**
   * The moves of manual commissions with payments of this customer, including moves by customers of the same
   * referrals.
   */
  manual_moves: readonly OverrideFact[];
  /** Other customers' payments that have manual commissions of the referrals, by the commission. */
  payments_of_others: ReadonlyMap<string, PaymentOfOther>;
  payments: ReadonlyMap<FactReference, KnownPayment>;
  /** The current settings. A snapshot stored with a fact takes precedence. */
  candidatesOf: (stored: StoredFact) => readonly Candidate[];
  /** Codes and clicks that a fact names and that belong to no affiliate. */
  unknownOf: (stored: StoredFact) => readonly NamedCandidate[];
  affiliateOf: (id: string) => AffiliateSnapshot | undefined;
  /** The affiliate of a payment with the terms of a draft, in a backtest. Omitted: terms are as they are stored. */
  drafted?: (affiliate: AffiliateSnapshot, paid_at: Date) => AffiliateSnapshot;
  /** The rules of a set that settings or snapshots name. */
  ruleSetOf: (id: string) => readonly StoredRule[];
  /** Looks up the data that signals of fraud need about an affiliate's payment. */
  observeOf: (affiliate_id: string) => Observe;
  /** The exchange rates of a payment: those of its snapshot, or else the stored ones that count for its day. */
  exchangeRatesOf: (
    payment: PaymentMade,
    decided: { snapshot: Snapshot; affiliate: AffiliateSnapshot },
  ) => readonly ExchangeRate[];
}
