import type { SettledCommissionRow, SettledReferralRow } from "@findersfee/database/customer-settlement";
import type { StoredDecision } from "@findersfee/database/payment-decisions";
import { customerKey } from "./customer-keys.ts";
import type { CustomerHistory, KnownPayment, KnownReferral, ManualCommission } from "./history.ts";
import type { Loaded } from "./load.ts";
import { type EventReference, referenceOf } from "./outcome.ts";
import type { StoredEvent } from "./stored-event.ts";
import { readStoredReference } from "./stored-reference.ts";
import { type JudgedAffiliate, termsOf } from "./terms.ts";

/** What was stored about a customer before it is settled again. */
export interface CustomerBefore {
  history: CustomerHistory;
  decisions: ReadonlyMap<EventReference, StoredDecision>;
  /** Of each payment: its commission, and what was added to that one since. */
  commissions: ReadonlyMap<string, SettledCommissionRow[]>;
  referrals: ReadonlyMap<string, SettledReferralRow>;
}

/** One customer's part of what was loaded. */
export function customerBefore(loaded: Loaded, events: readonly StoredEvent[]): CustomerBefore {
  const decisions = new Map<EventReference, StoredDecision>();
  for (const stored of events) {
    const reference = referenceOf(stored);
    const decision = loaded.decisions.get(reference);
    if (decision !== undefined) decisions.set(reference, decision);
  }
  const referrals = referralsOf(loaded, events, decisions);
  return {
    decisions,
    commissions: loaded.commissions,
    referrals,
    history: {
      currency: loaded.organization.currency,
      events,
      referrals: [...referrals.values()].map(knownReferral),
      manual_commissions: [...referrals.keys()].flatMap((id) =>
        (loaded.by_hand.of_referral.get(id) ?? []).map(manualCommission),
      ),
      payments: knownPayments(loaded, events, decisions),
      candidatesOf: loaded.candidatesOf,
      affiliateOf: (id) => judgedAffiliate(loaded, id),
    },
  };
}

function manualCommission({
  referral_id,
  referral_date,
  created_at,
  payout_status,
}: SettledCommissionRow): ManualCommission {
  return { referral_id, referral_date, created_at, voided: payout_status === "voided" };
}

function referralsOf(
  { referrals }: Loaded,
  events: readonly StoredEvent[],
  decisions: ReadonlyMap<EventReference, StoredDecision>,
): Map<string, SettledReferralRow> {
  const names = new Set<string>();
  for (const stored of events) {
    const { event } = stored;
    names.add(`bound:${referenceOf(stored)}`);
    if ("email" in event && event.email !== null) names.add(`email:${event.email.toLowerCase()}`);
    if ("customer_id" in event && event.customer_id !== null) names.add(customerKey(event.customer_id));
  }
  for (const { referral_id } of decisions.values()) if (referral_id !== null) names.add(referral_id);
  const own = [...names].flatMap((name) => referrals.get(name) ?? []);
  // The oldest first, whatever it was found by.
  return new Map(own.sort((a, b) => (a.id < b.id ? -1 : 1)).map((referral) => [referral.id, referral]));
}

function knownReferral(row: SettledReferralRow): KnownReferral {
  const { id, email, processor_customer_id, affiliate_id, signup_date, bound_by } = row;
  return {
    id,
    email,
    processor_customer_id,
    affiliate_id,
    signup_date,
    bound_by: bound_by === null ? null : readStoredReference(bound_by),
  };
}

function knownPayments(
  { by_hand, corrections }: Loaded,
  events: readonly StoredEvent[],
  decisions: ReadonlyMap<EventReference, StoredDecision>,
): Map<EventReference, KnownPayment> {
  const known = new Map<EventReference, KnownPayment>();
  for (const stored of events) {
    if (stored.event.kind !== "payment") continue;
    const reference = referenceOf(stored);
    const decision = decisions.get(reference);
    const commission_id = decision?.commission_id ?? null;
    known.set(reference, {
      decided_first_at: decision?.created_at ?? null,
      correction: commission_id === null ? null : (corrections.get(commission_id) ?? null),
      has_manual_commission: by_hand.payment_ids.has(stored.event.subject),
    });
  }
  return known;
}

function judgedAffiliate({ affiliates }: Loaded, id: string): JudgedAffiliate | undefined {
  const affiliate = affiliates.get(id);
  if (affiliate === undefined) return undefined;
  const { email, approved, banned, campaign } = affiliate;
  return { affiliate_id: id, email, approved, banned, terms: termsOf(campaign) };
}
