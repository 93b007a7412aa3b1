import { lowerCase } from "@findersfee/database/lower-case";
import { isId } from "../../ids.ts";
import type { UsedPromoCode } from "./payment-fact.ts";
import type { Candidate } from "./snapshot.ts";
import type { StoredEvent } from "./stored-fact.ts";

/** A code or click that an event names, whether an affiliate has it or not. */
export type NamedCandidate = Pick<Candidate, "source" | "reference">;

/** The candidates of events: those of affiliates, and the codes and clicks that no affiliate has. */
export interface CandidatesOf {
  candidatesOf: (stored: StoredEvent) => readonly Candidate[];
  unknownOf: (stored: StoredEvent) => readonly NamedCandidate[];
}

/** All codes and clicks that an event names. */
export function namedBy(stored: StoredEvent): NamedCandidate[] {
  return [
    ...promoCodesOf(stored).flatMap(({ external_id, code }) => {
      const reference = external_id ?? code;
      return reference === null ? [] : { source: "promo_code" as const, reference };
    }),
    ...clickIdsOf(stored).map((reference) => ({ source: clickSource(stored), reference })),
  ];
}

/** The promo codes that an event names. */
export function promoCodesOf({ event }: StoredEvent): UsedPromoCode[] {
  // Also those that are no longer on a customer's record.
  if (event.kind === "customer") return (event.brought_by ?? []).filter(({ click_id }) => click_id === null);
  return "promo_codes" in event ? event.promo_codes : [];
}

/** The clicks that an event names. */
export function clickIdsOf({ event }: StoredEvent): string[] {
  if (event.kind === "customer") return (event.brought_by ?? []).flatMap(({ click_id }) => click_id ?? []);
  return "click_ids" in event ? event.click_ids.map((id) => (isId(id) ? id.toLowerCase() : id)) : [];
}

/** Whether an event names anybody who may have brought its customer, known or not. */
export function namesAnybody(stored: StoredEvent): boolean {
  return namedBy(stored).length > 0;
}

/** Whether a click counts as the click of a sign-up. */
export function clickSource({ event }: StoredEvent): "click" | "signup" {
  return event.kind === "signup" ? "signup" : "click";
}

/** Each candidate once, the first of the same. */
export function eachOnce<One extends NamedCandidate>(candidates: readonly One[]): One[] {
  const first = new Map<string, One>();
  for (const one of candidates) if (!first.has(candidateKey(one))) first.set(candidateKey(one), one);
  return [...first.values()];
}

/** Compares candidates, ignoring case. */
export function candidateKey({ source, reference }: NamedCandidate): string {
  return `${source} ${lowerCase(reference)}`;
}
