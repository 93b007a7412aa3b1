import type { NamedCandidate } from "../facts/named-candidates.ts";
import type { FactReference } from "../facts/references.ts";
import type { Candidate } from "../facts/snapshot.ts";
import type { StoredFact } from "../facts/stored-fact.ts";
import type { AffiliateSnapshot } from "../facts/terms.ts";

/** A referral that is there already. */
export interface KnownReferral {
  id: string;
  email: string;
  processor_customer_id: string | null;
  affiliate_id: string;
  signup_date: Date;
  /** The fact that it was made from; null: made by hand or by a sign-up. */
  attributed_by: FactReference | null;
  /** Whether these are its own; else they are what facts reported, and are worked out anew. */
  email_is_manual: boolean;
  customer_id_is_manual: boolean;
}

/** A commission that no payment of the processors made. */
export interface ManualCommission {
  referral_id: string;
  referral_date: Date;
  created_at: Date;
  /** From when on it counts no more; null: it counts. */
  voided_at: Date | null;
}

/** What was corrected by hand in a payment's commission; null: not that. */
export interface Correction {
  revenue_minor: bigint | null;
  commission_minor: bigint | null;
  /** How much of the payment had been taken back when the amounts were corrected. */
  reversed_minor: bigint;
  /** True: void, false: restored, whatever made it void. */
  voided: boolean | null;
  referral_date: Date | null;
  corrected_at: Date;
}

/** What is known of a payment beside its facts. */
export interface KnownPayment {
  /** When it was decided first; null: it never was. */
  decided_first_at: Date | null;
  /** Whose it was decided to be. */
  referral_id: string | null;
  correction: Correction | null;
  /** There is another commission with an id of this payment: made by hand, or of another processor's payment. */
  has_other_commission: boolean;
}

/** All that bears upon one customer. What becomes of it is worked out of this and nothing else. */
export interface CustomerHistory {
  /** ISO 4217: fixed amounts are in it. */
  currency: string;
  facts: readonly StoredFact[];
  referrals: readonly KnownReferral[];
  manual_commissions: readonly ManualCommission[];
  payments: ReadonlyMap<FactReference, KnownPayment>;
  /** As they are set now; what a fact was snapshot by before is kept with it and comes first. */
  candidatesOf: (stored: StoredFact) => readonly Candidate[];
  /** Codes and clicks that a fact names and no affiliate has. */
  unknownOf: (stored: StoredFact) => readonly NamedCandidate[];
  affiliateOf: (id: string) => AffiliateSnapshot | undefined;
}
