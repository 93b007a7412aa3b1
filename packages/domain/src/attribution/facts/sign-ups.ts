import { timeOfId } from "../../ids.ts";
import type { PaymentFact, SignUpFact } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

/** Sign-ups are often reported shortly after the accompanying payment. */
export const SIGN_UP_TOLERANCE_MILLISECONDS = 60 * 60 * 1000;

export function isSignUp(stored: StoredFact): stored is StoredFact<SignUpFact> {
  return stored.fact.kind === "signup";
}

/** The time of a sign-up's click, from its id. */
function clickTimeOf({ click_ids: [click_id] }: SignUpFact): Date {
  if (click_id === undefined) throw new Error("a sign-up without a click");
  return timeOfId(click_id);
}

/** The time from which a sign-up refers its customer: an hour before its report, but not before its click. */
export function effectiveSince(fact: SignUpFact): Date {
  const earliest = fact.at.getTime() - SIGN_UP_TOLERANCE_MILLISECONDS;
  return new Date(Math.max(earliest, clickTimeOf(fact).getTime()));
}

/** When a customer first appears in a payment, charge, subscription or checkout. Null: in none. */
export function customerSince(facts: readonly StoredFact[]): Date | null {
  let first: Date | null = null;
  for (const { fact } of facts) {
    const since = sinceOf(fact);
    if (since !== null && (first === null || since < first)) first = since;
  }
  return first;
}

function sinceOf(fact: PaymentFact): Date | null {
  switch (fact.kind) {
    case "payment":
      return fact.subscribed_since ?? fact.paid_at;
    case "charge":
      return fact.paid_at;
    case "subscription":
      return fact.since ?? fact.at;
    case "checkout":
      return fact.opened_at;
    default:
      return null;
  }
}
