import type { Candidate } from "./judged.ts";
import type { EventReference } from "./outcome.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** A referral that is there already. */
export interface KnownReferral {
  id: string;
  email: string;
  processor_customer_id: string | null;
  affiliate_id: string;
  signup_date: Date;
  /** The event that it was made from; null: made by hand or by a sign-up. */
  bound_by: EventReference | null;
}

/** A commission that no payment of the processors made. */
export interface ManualCommission {
  referral_id: string;
  referral_date: Date;
  created_at: Date;
  voided: boolean;
}

/** What was corrected by hand in a payment's commission. */
export interface Correction {
  revenue_minor: bigint;
  commission_minor: bigint;
  /** How much of the payment had been taken back then. */
  taken_back_minor: bigint;
  voided: boolean;
}

/** What is known of a payment beside its events. */
export interface KnownPayment {
  /** When it was decided first; null: it never was. */
  decided_first_at: Date | null;
  correction: Correction | null;
  /** A commission with this payment's id that was made by hand. */
  has_manual_commission: boolean;
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
  affiliateOf: (id: string) => JudgedAffiliate | undefined;
}
