import type { NamedCandidate } from "../facts/named-candidates.ts";
import type { EventReference } from "../facts/references.ts";
import type { Candidate } from "../facts/snapshot.ts";
import type { StoredEvent } from "../facts/stored-fact.ts";
import type { JudgedAffiliate } from "../facts/terms.ts";

/** A referral that is there already. */
export interface KnownReferral {
  id: string;
  email: string;
  processor_customer_id: string | null;
  affiliate_id: string;
  signup_date: Date;
  /** The event that it was made from; null: made by hand or by a sign-up. */
  bound_by: EventReference | null;
  /** Whether these are its own; else they are what events told, and are worked out anew. */
  email_by_hand: boolean;
  customer_id_by_hand: boolean;
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
  taken_back_minor: bigint;
  /** True: void, false: restored, whatever made it void. */
  voided: boolean | null;
  referral_date: Date | null;
  corrected_at: Date;
}

/** What is known of a payment beside its events. */
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
  events: readonly StoredEvent[];
  referrals: readonly KnownReferral[];
  manual_commissions: readonly ManualCommission[];
  payments: ReadonlyMap<EventReference, KnownPayment>;
  /** As they are set now; what an event was judged by before is kept with it and comes first. */
  candidatesOf: (stored: StoredEvent) => readonly Candidate[];
  /** Codes and clicks that an event names and no affiliate has. */
  unknownOf: (stored: StoredEvent) => readonly NamedCandidate[];
  affiliateOf: (id: string) => JudgedAffiliate | undefined;
}
