import type { CheckoutFact, CustomerFact, PaymentMade, SignUpFact } from "./payment-fact.ts";
import { referenceOf } from "./references.ts";
import type { Related } from "./relate.ts";
import { effectiveSince } from "./sign-ups.ts";
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
export function chronological(
  facts: readonly StoredFact[],
  relatedTo: (stored: StoredFact) => Related,
): TimedTouch[] {
  return facts
    .filter(isTouch)
    .flatMap((touch) => timesOf(touch, relatedTo))
    .sort(
      (a, b) =>
        a.at.getTime() - b.at.getTime() ||
        ORDER[a.touch.fact.kind] - ORDER[b.touch.fact.kind] ||
        compare(referenceOf(a.touch), referenceOf(b.touch)) ||
        compare(a.referral_source ?? "", b.referral_source ?? ""),
    );
}

function isTouch(stored: StoredFact): stored is Touch {
  return stored.fact.kind in ORDER;
}

function timesOf(touch: Touch, relatedTo: (stored: StoredFact) => Related): TimedTouch[] {
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
    case "checkout": {
      // A checkout comes before the payment that completed it, even if the clocks disagree.
      const paid = relatedTo(touch).payments.map(({ paid_at }) => paid_at.getTime());
      return [{ touch, at: new Date(Math.min(fact.opened_at.getTime(), ...paid)), referral_source: null }];
    }
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
