import type { HostFailure } from "@findersfee/database/portal/hosts";
import type { HostRecordResult } from "./host-record.ts";

/** A proven name without a record stays proven this much longer, because a mistake in DNS takes people days to notice. */
const MISSING_DAYS = 7;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** When a name without a record is no longer proven. */
export function endOfProof(failing_since: Date): Date {
  return new Date(failing_since.getTime() + MISSING_DAYS * DAY_MILLISECONDS);
}

/** The proof of a name by a TXT record: a host name of an organization, or a domain of single sign-on. */
export interface RecordProof {
  /** Since when it is proven; null: it is not. */
  proven_at: Date | null;
  checked_at: Date | null;
  failure: HostFailure | null;
  /** Since when a name that was proven has had no record. */
  failing_since: Date | null;
}

/** The proof after a look at the record. Name servers that do not answer end no proof. */
export function proofAfter(proof: RecordProof, result: HostRecordResult, now: Date): RecordProof {
  const { proven_at, failing_since } = proof;
  if (result === "proven") {
    return { proven_at: proven_at ?? now, checked_at: now, failure: null, failing_since: null };
  }
  const failed = { ...proof, checked_at: now, failure: result };
  if (proven_at === null || result === "unanswered") return failed;
  const since = failing_since ?? now;
  return { ...failed, failing_since: since, proven_at: endOfProof(since) <= now ? null : proven_at };
}
