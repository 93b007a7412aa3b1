import { candidateKey, type NamedCandidate } from "../facts/named-candidates.ts";
import type { Candidate } from "../facts/snapshot.ts";

/** Why a candidate did not win the customer. */
export type RejectionReason =
  | "affiliate_banned"
  | "affiliate_unapproved"
  | "click_expired"
  | "click_after_checkout"
  | "self_referral"
  | "existing_customer";

/** An affiliate's candidate and its result. */
export interface AttributedCandidate extends NamedCandidate {
  affiliate_id: string;
  /** `lost`: an earlier candidate won. */
  result: "won" | "lost" | RejectionReason;
}

/** A candidate and its result, as a decision shows them. */
export interface CandidateResult extends NamedCandidate {
  /** Null: the code or click belongs to no affiliate. */
  affiliate_id: string | null;
  result: AttributedCandidate["result"] | "unknown_code" | "unknown_click";
}

/** Maximum candidates per customer; the latest ones are stored. */
const MOST_RESULTS = 20;

/** Appends later results. Each candidate appears once, with its latest result. */
export function withResults(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const replaced = new Set(added.map(candidateKey));
  return [...known.filter((result) => !replaced.has(candidateKey(result))), ...added].slice(-MOST_RESULTS);
}

/** Adds the results of candidates that are not in the list yet, up to the limit. */
export function withOthers(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const keys = new Set(known.map(candidateKey));
  return [...known, ...added.filter((result) => !keys.has(candidateKey(result)))].slice(0, MOST_RESULTS);
}

/** Candidates that lost to an existing referral. */
export function lost(candidates: readonly Candidate[]): CandidateResult[] {
  return candidates.map(({ source, reference, affiliate_id }) => {
    return { source, reference, affiliate_id, result: "lost" };
  });
}

/** The result of a sign-up's candidate that won until stronger evidence arrived. */
export function markReplaced(candidate: CandidateResult): CandidateResult {
  return candidate.result === "won" ? { ...candidate, result: "lost" } : candidate;
}

/** Codes and clicks that belong to no affiliate. */
export function unknown(named: readonly NamedCandidate[]): CandidateResult[] {
  return named.map(({ source, reference }) => {
    const result = source === "promo_code" ? "unknown_code" : "unknown_click";
    return { source, reference, affiliate_id: null, result };
  });
}
