import type { CorrectionRow, ReferralChanges } from "@findersfee/database/attribution/customers";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import type { PassedAffiliate } from "@findersfee/database/attribution/passed-affiliates";
import type { CommissionChange, NewWrittenCommission } from "@findersfee/database/commissions/changes";
import type { MovedName, PaymentName } from "@findersfee/database/commissions/payment-names";

import type { NewEvent } from "@findersfee/database/webhooks/events";
import type { ReviewChange } from "../../ledger/write-commissions.ts";
import type { Lookup } from "../decide/lookups.ts";
import type { Snapshot, StoredFact } from "../facts/stored-fact.ts";
import type { TouchedReferral } from "./touched-referral.ts";

/** The affiliates that changed decisions pass over, and those that they no longer do. */
export interface PassedDifference {
  added: PassedAffiliate[];
  removed: PassedAffiliate[];
}

/** The rows and events to write so that the database matches the outcomes. */
export interface PendingWrites extends ReferralChanges {
  new_commissions: NewWrittenCommission[];
  changed_commissions: CommissionChange[];
  events: NewEvent[];
  decisions: StoredDecision[];
  /** Affiliates that changed decisions pass over, and no longer do. */
  passed: PassedDifference;
  /** Names that payments' commissions get. */
  names: { added: PaymentName[]; moved: MovedName[] };
  /** Amounts and voids of manual commissions, as they were before their payments' refunds. */
  corrections: CorrectionRow[];
  /** Reviews that have other reasons. */
  reviews: ReviewChange[];
  /** Referrals whose leads may change. */
  touched: TouchedReferral[];
  /** New snapshots of facts. */
  snapshot: Map<StoredFact, Snapshot>;
  /** Changed lookups of facts. Null: none any more. */
  lookups: Map<StoredFact, Lookup | null>;
}

export function noWrites(): PendingWrites {
  return {
    new_referrals: [],
    changed_referrals: [],
    renamed_referral_ids: [],
    new_commissions: [],
    changed_commissions: [],
    events: [],
    decisions: [],
    passed: { added: [], removed: [] },
    names: { added: [], moved: [] },
    corrections: [],
    reviews: [],
    touched: [],
    snapshot: new Map(),
    lookups: new Map(),
  };
}

/** Adds a customer's writes to other customers', in their order. */
export function addWrites(all: PendingWrites, { snapshot, lookups, ...rows }: PendingWrites): void {
  all.new_referrals.push(...rows.new_referrals);
  all.changed_referrals.push(...rows.changed_referrals);
  all.renamed_referral_ids.push(...rows.renamed_referral_ids);
  all.new_commissions.push(...rows.new_commissions);
  all.changed_commissions.push(...rows.changed_commissions);
  all.events.push(...rows.events);
  all.decisions.push(...rows.decisions);
  addPassed(all, rows.passed);
  all.names.added.push(...rows.names.added);
  all.names.moved.push(...rows.names.moved);
  all.corrections.push(...rows.corrections);
  all.reviews.push(...rows.reviews);
  all.touched.push(...rows.touched);
  for (const [stored, captured] of snapshot) all.snapshot.set(stored, captured);
  for (const [stored, lookup] of lookups) all.lookups.set(stored, lookup);
}

export function addPassed({ passed }: PendingWrites, { added, removed }: PassedDifference): void {
  passed.added.push(...added);
  passed.removed.push(...removed);
}

/**
 * Whether writes depend on the stored state of referrals or commissions, which others change without the organization's
 * lock: a payout run takes commissions, staff edit referrals.
 */
export function needLocks({
  changed_referrals,
  changed_commissions,
  new_commissions,
  reviews,
}: PendingWrites): boolean {
  return (
    changed_referrals.length > 0 ||
    changed_commissions.length > 0 ||
    reviews.length > 0 ||
    new_commissions.some(({ reversal_of }) => reversal_of !== null)
  );
}

/** Whether two states of a row differ only in the time of the decision. */
export function isSameRow<Row extends object>(before: Row, after: Row): boolean {
  for (const name in after) {
    if (name === "decided_at") continue;
    const [known, value]: unknown[] = [before[name], after[name]];
    if (known === value) continue;
    if (!(value instanceof Date && known instanceof Date) || value.getTime() !== known.getTime())
      return false;
  }
  return true;
}
