import type { CheckoutEvent, CustomerEvent, PaymentMade, SignUpEvent } from "./payment-fact.ts";
import { referenceOf } from "./references.ts";
import type { Related } from "./relate.ts";
import { effectiveSince } from "./sign-ups.ts";
import type { StoredEvent } from "./stored-fact.ts";

/** An event that may name the customer and the affiliate. */
export type Touch = StoredEvent<CheckoutEvent | CustomerEvent | PaymentMade | SignUpEvent>;

/** A touch at its moment. */
export interface TimedTouch {
  touch: Touch;
  at: Date;
  /** The only candidate that counts at this moment: a promo code's text or id, or a click id. Null: all of them. */
  brought_by: string | null;
}

/** The order of touches of the same moment: stronger evidence first. */
const ORDER = { customer: 0, checkout: 1, payment: 2, signup: 3 };

/** A customer's touches in the order of the processors' clocks. */
export function chronological(
  events: readonly StoredEvent[],
  relatedTo: (stored: StoredEvent) => Related,
): TimedTouch[] {
  return events
    .filter(isTouch)
    .flatMap((touch) => timesOf(touch, relatedTo))
    .sort(
      (a, b) =>
        a.at.getTime() - b.at.getTime() ||
        ORDER[a.touch.event.kind] - ORDER[b.touch.event.kind] ||
        compare(referenceOf(a.touch), referenceOf(b.touch)) ||
        compare(a.brought_by ?? "", b.brought_by ?? ""),
    );
}

function isTouch(stored: StoredEvent): stored is Touch {
  return stored.event.kind in ORDER;
}

function timesOf(touch: Touch, relatedTo: (stored: StoredEvent) => Related): TimedTouch[] {
  const { event } = touch;
  switch (event.kind) {
    case "signup":
      return [{ touch, at: effectiveSince(event), brought_by: null }];
    case "payment":
      return [{ touch, at: event.paid_at, brought_by: null }];
    case "customer":
      // A customer's record dates each candidate by its first report.
      return (event.brought_by ?? []).flatMap(({ external_id, code, click_id, since }) => {
        const brought_by = external_id ?? code ?? click_id;
        return brought_by === null ? [] : { touch, at: since, brought_by };
      });
    case "checkout": {
      // Whatever the clocks say, a checkout is before the payment that it ended in.
      const paid = relatedTo(touch).payments.map(({ paid_at }) => paid_at.getTime());
      return [{ touch, at: new Date(Math.min(event.opened_at.getTime(), ...paid)), brought_by: null }];
    }
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
