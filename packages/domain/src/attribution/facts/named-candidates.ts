import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { isId } from "../../ids.ts";
import type { UsedPromoCode } from "./payment-fact.ts";
import type { Candidate, StoredFact } from "./stored-fact.ts";

/** A code or click that a fact names, with or without an affiliate. */
export type NamedCandidate = Pick<Candidate, "source" | "reference">;

/** The candidates of facts: those with an affiliate, and the codes and clicks without one. */
export interface CandidatesOf {
  candidatesOf: (stored: StoredFact) => readonly Candidate[];
  unknownOf: (stored: StoredFact) => readonly NamedCandidate[];
}

/** All codes and clicks that a fact names. */
export function namedBy(stored: StoredFact): NamedCandidate[] {
  return [
    ...promoCodesOf(stored).flatMap(({ external_id, code }) => {
      const reference = external_id ?? code;
      return reference === null ? [] : { source: "promo_code" as const, reference };
    }),
    ...clickIdsOf(stored).map((reference) => ({ source: clickSource(stored), reference })),
  ];
}

/** The promo codes that a fact names. */
export function promoCodesOf({ fact }: StoredFact): UsedPromoCode[] {
  // Includes codes that were removed from a customer record.
  if (fact.kind === "customer")
    return (fact.referral_sources ?? []).filter(({ click_id }) => click_id === null);
  return "promo_codes" in fact ? fact.promo_codes : [];
}

/** The clicks that a fact names. */
export function clickIdsOf({ fact }: StoredFact): string[] {
  if (fact.kind === "customer")
    return (fact.referral_sources ?? []).flatMap(({ click_id }) => click_id ?? []);
  return "click_ids" in fact ? fact.click_ids.map((id) => (isId(id) ? id.toLowerCase() : id)) : [];
}

/** Whether a fact names any candidate, with or without an affiliate. */
export function namesAnybody(stored: StoredFact): boolean {
  return namedBy(stored).length > 0;
}

/** Whether a click counts as the click of a sign-up. */
export function clickSource({ fact }: StoredFact): "click" | "signup" {
  return fact.kind === "signup" ? "signup" : "click";
}

/** Each candidate once; the first of duplicates. */
export function eachOnce<One extends NamedCandidate>(candidates: readonly One[]): One[] {
  const first = new Map<string, One>();
  for (const item of candidates) if (!first.has(candidateKey(item))) first.set(candidateKey(item), item);
  return [...first.values()];
}

/** Compares candidates, ignoring case. */
export function candidateKey({ source, reference }: NamedCandidate): string {
  return `${source} ${lowerCase(reference)}`;
}
