import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { groupBy } from "../../group-by.ts";
import { isId } from "../../ids.ts";
import { partNames, referenceOf } from "./fact-names.ts";
import type { CheckoutFact, UsedPromoCode } from "./payment-fact.ts";
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
  // Most facts name nobody.
  if (candidates.length < 2) return [...candidates];
  const first = new Map<string, One>();
  for (const item of candidates) if (!first.has(candidateKey(item))) first.set(candidateKey(item), item);
  return [...first.values()];
}

/** Compares candidates, ignoring case. */
export function candidateKey({ source, reference }: NamedCandidate): string {
  return `${source} ${lowerCase(reference)}`;
}

type StoredCheckout = StoredFact<CheckoutFact>;

/** Which discount was used in which checkout. */
export interface Discounts {
  /** The checkout in which a discount was used; undefined: in none that is known. */
  checkoutOf: (stored: StoredFact) => StoredCheckout | undefined;
  /** The discounts of a checkout. */
  discountsOf: (stored: StoredFact) => readonly StoredCheckout[];
}

/** A processor may complete a checkout shortly before it starts the discount. */
const TOLERANCE_MILLISECONDS = 5 * 60 * 1000;

/**
 * Relates discounts to the checkouts that they were used in. A discount starts when its checkout is
 * completed, and its code was used in the checkout. A discount that names only a subscription may be given
 * long after the checkout, so it has to start while the subscription's checkout is open. A discount that is
 * older than the checkout counts alone.
 */
export function relateDiscounts(facts: readonly StoredFact[]): Discounts {
  const checkouts = facts.filter(isCheckout);
  const discounts = checkouts.filter(({ fact }) => fact.is_discount);
  if (discounts.length === 0) return { checkoutOf: () => undefined, discountsOf: () => [] };
  const others = checkouts.filter(({ fact }) => !fact.is_discount).sort(byOpening);
  const by_part = groupBy(
    others.flatMap((checkout) => partNames(checkout).map((name) => ({ name, checkout }))),
    ({ name }) => name,
  );
  const checkout_of = new Map<string, StoredCheckout>();
  for (const discount of discounts) {
    const related = partNames(discount).flatMap((name) => by_part.get(name) ?? []);
    const found = related.find(({ checkout }) => isUsedIn(discount, checkout));
    if (found !== undefined) checkout_of.set(referenceOf(discount), found.checkout);
  }
  const checkoutOf = (stored: StoredFact) => checkout_of.get(referenceOf(stored));
  const by_checkout = groupBy(discounts, (discount) => {
    const checkout = checkoutOf(discount);
    return checkout === undefined ? "" : referenceOf(checkout);
  });
  return { checkoutOf, discountsOf: (stored) => by_checkout.get(referenceOf(stored)) ?? [] };
}

function isCheckout(stored: StoredFact): stored is StoredCheckout {
  return stored.fact.kind === "checkout";
}

function byOpening({ fact: a }: StoredCheckout, { fact: b }: StoredCheckout): number {
  return a.opened_at.getTime() - b.opened_at.getTime() || (a.subject < b.subject ? -1 : 1);
}

function isUsedIn({ fact: discount }: StoredCheckout, { fact: checkout }: StoredCheckout): boolean {
  if (discount.opened_at < checkout.opened_at) return false;
  const completed = checkout.at.getTime() + TOLERANCE_MILLISECONDS;
  return discount.belongs_to.includes(checkout.subject) || discount.opened_at.getTime() <= completed;
}
