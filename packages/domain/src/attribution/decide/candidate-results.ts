import { candidateKey, type NamedCandidate } from "../facts/named-candidates.ts";
import type { Candidate } from "../facts/snapshot.ts";

/** Why a candidate did not get the customer. */
export type Refusal =
  | "affiliate_banned"
  | "affiliate_unapproved"
  | "click_expired"
  | "click_after_checkout"
  | "self_referral"
  | "existing_customer";

/** An affiliate's candidate and its result. */
export interface AttributedCandidate extends NamedCandidate {
  affiliate_id: string;
  /** `lost`: another one was before it. */
  result: "won" | "lost" | Refusal;
}

/** A candidate and its result, as a decision shows it. */
export interface CandidateResult extends NamedCandidate {
  /** Null: no affiliate has it. */
  affiliate_id: string | null;
  result: AttributedCandidate["result"] | "unknown_code" | "unknown_click";
}

/** Limit of candidates per customer; the last ones are kept. */
const MOST_RESULTS = 20;

/** The results with those that came later. Each candidate is in them once, with its last result. */
export function withResults(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const replaced = new Set(added.map(candidateKey));
  return [...known.filter((result) => !replaced.has(candidateKey(result))), ...added].slice(-MOST_RESULTS);
}

/** The results with those of candidates that are not among them yet, as long as there is room. */
export function withOthers(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const keys = new Set(known.map(candidateKey));
  return [...known, ...added.filter((result) => !keys.has(candidateKey(result)))].slice(0, MOST_RESULTS);
}

/** Candidates that lost to a referral that was there before them. */
export function lost(candidates: readonly Candidate[]): CandidateResult[] {
  return candidates.map(({ source, reference, affiliate_id }) => {
    return { source, reference, affiliate_id, result: "lost" };
  });
}

/** The result of a sign-up's candidate that had won until stronger evidence came. */
export function superseded(candidate: CandidateResult): CandidateResult {
  return candidate.result === "won" ? { ...candidate, result: "lost" } : candidate;
}

/** Codes and clicks of no affiliate. */
export function unknown(named: readonly NamedCandidate[]): CandidateResult[] {
  return named.map(({ source, reference }) => {
    const result = source === "promo_code" ? "unknown_code" : "unknown_click";
    return { source, reference, affiliate_id: null, result };
  });
}
