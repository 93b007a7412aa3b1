import type { FactReference } from "../facts/fact-names.ts";
import type { NamedCandidate } from "../facts/named-candidates.ts";
import type { Relations } from "../facts/relate.ts";
import type { AffiliateSnapshot, Candidate, StoredFact } from "../facts/stored-fact.ts";

/** An existing referral. */
export interface KnownReferral {
  id: string;
  email: string;
  processor_customer_id: string | null;
  affiliate_id: string;
  signup_date: Date;
  /** The fact that created it; null: it is manual, or a signed sign-up created it. */
  attributed_by: FactReference | null;
  /** Whether its names are its own. Otherwise they come from reported facts and are computed again. */
  email_is_manual: boolean;
  customer_id_is_manual: boolean;
}

/** A commission that was not created from a processor's payment. */
export interface ManualCommission {
  referral_id: string;
  referral_date: Date;
  created_at: Date;
  /** When it was voided; null: it counts. */
  voided_at: Date | null;
}

/** Manual corrections of a payment's commission; null: that field was not corrected. */
export interface Correction {
  revenue_minor: bigint | null;
  commission_minor: bigint | null;
  /** The amount of the payment that was refunded when the amounts were corrected. */
  reversed_minor: bigint;
  /** True: void. False: restored, regardless of why it was void. */
  voided: boolean | null;
  referral_date: Date | null;
  corrected_at: Date;
}

/** Data about a payment other than its facts. */
export interface KnownPayment {
  /** When it was first decided; null: it has no decision. */
  decided_first_at: Date | null;
  /** The referral and affiliate of the decision. */
  referral_id: string | null;
  correction: Correction | null;
  /** Another commission has an id of this payment: a manual one, or one of another processor's payment. */
  has_other_commission: boolean;
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
  payments: ReadonlyMap<FactReference, KnownPayment>;
  /** The current settings. A snapshot stored with a fact takes precedence. */
  candidatesOf: (stored: StoredFact) => readonly Candidate[];
  /** Codes and clicks that a fact names and that belong to no affiliate. */
  unknownOf: (stored: StoredFact) => readonly NamedCandidate[];
  affiliateOf: (id: string) => AffiliateSnapshot | undefined;
}
