import type { AttributionChanges } from "@findersfee/database/customer-attribution";
import type { StoredDecision } from "@findersfee/database/payment-decisions";
import type { Lookup } from "../decide/lookups.ts";
import type { Snapshot } from "../facts/snapshot.ts";
import type { StoredFact } from "../facts/stored-fact.ts";

/** The rows and events to write so that the database matches the outcomes. */
export interface PendingWrites extends AttributionChanges {
  decisions: StoredDecision[];
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
    snapshot: new Map(),
    lookups: new Map(),
  };
}

/** Whether two states of a row differ only in the time of the decision. */
export function isSameRow(before: object, after: object): boolean {
  const differs = Object.entries(after).some(([name, value]) => {
    if (name === "decided_at") return false;
    const known: unknown = before[name as keyof typeof before];
    return value instanceof Date && known instanceof Date ? +value !== +known : value !== known;
  });
  return !differs;
}
