import { timeOfId } from "../../ids.ts";
import { referenceOf } from "./fact-names.ts";
import type { CheckoutFact, CustomerFact, PaymentFact, PaymentMade, SignUpFact } from "./payment-fact.ts";
import type { Relations } from "./relate.ts";
import type { StoredFact } from "./stored-fact.ts";

/** A fact that may name the customer and the affiliate. */
export type Touch = StoredFact<CheckoutFact | CustomerFact | PaymentMade | SignUpFact>;

/** A touch at its time. */
export interface TimedTouch {
  touch: Touch;
  at: Date;
  /** The only candidate that counts at this time: the text or id of a promo code, or a click id. Null: all of them. */
  referral_source: string | null;
}

/** The order of touches at the same time: stronger evidence first. */
const ORDER = { customer: 0, checkout: 1, payment: 2, signup: 3 };

/** A customer's touches in the order of the processors' clocks. */
export function chronological(facts: readonly StoredFact[], relations: Relations): TimedTouch[] {
  const isUsed = ({ touch }: TimedTouch) => relations.checkoutOf(touch) !== undefined;
  return facts
    .filter(isTouch)
    .flatMap((touch) => timesOf(touch, relations))
    .sort(
      (a, b) =>
        a.at.getTime() - b.at.getTime() ||
        ORDER[a.touch.fact.kind] - ORDER[b.touch.fact.kind] ||
        // A checkout decides with the codes of its discounts.
        Number(isUsed(a)) - Number(isUsed(b)) ||
        compare(referenceOf(a.touch), referenceOf(b.touch)) ||
        compare(a.referral_source ?? "", b.referral_source ?? ""),
    );
}

function isTouch(stored: StoredFact): stored is Touch {
  return stored.fact.kind in ORDER;
}

function timesOf(touch: Touch, relations: Relations): TimedTouch[] {
  const { fact } = touch;
  switch (fact.kind) {
    case "signup":
      return [{ touch, at: effectiveSince(fact), referral_source: null }];
    case "payment":
      return [{ touch, at: fact.paid_at, referral_source: null }];
    case "customer":
      // A customer record dates each candidate by its first report.
      return (fact.referral_sources ?? []).flatMap(({ external_id, code, click_id, since }) => {
        const referral_source = external_id ?? code ?? click_id;
        return referral_source === null ? [] : { touch, at: since, referral_source };
      });
    case "checkout":
      return [
        {
          touch,
          at: checkoutTime({ ...touch, fact }, relations),
          referral_source: null,
        },
      ];
  }
}

/** A checkout comes before the payment that completed it, even if the clocks disagree. */
export function checkoutTime(stored: StoredFact<CheckoutFact>, relations: Relations): Date {
  const checkout = relations.checkoutOf(stored) ?? stored;
  const paid = relations.paymentsOf(checkout).map(({ paid_at }) => paid_at.getTime());
  return new Date(Math.min(checkout.fact.opened_at.getTime(), ...paid));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

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
