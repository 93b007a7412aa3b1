import { referenceOf } from "./outcome.ts";
import type { Happening } from "./referrals.ts";
import type { Related } from "./related.ts";
import { effectiveSince } from "./sign-ups.ts";
import type { StoredEvent } from "./stored-event.ts";

/** Something that tells of a customer, at its moment. */
export interface Timed {
  happening: Happening;
  at: Date;
  /** Only this of what may have brought the customer: a promo code's text or id, or a click id. Null: all. */
  brought_by: string | null;
}

/** The order of events of the same moment: stronger evidence first. */
const ORDER = { customer: 0, checkout: 1, payment: 2, signup: 3 };

/** A customer's checkouts and payments and what its record says, in the order of the processors' clocks. */
export function inOrder(
  events: readonly StoredEvent[],
  relatedTo: (stored: StoredEvent) => Related,
): Timed[] {
  return events
    .filter(isHappening)
    .flatMap((happening) => timesOf(happening, relatedTo))
    .sort(
      (a, b) =>
        a.at.getTime() - b.at.getTime() ||
        ORDER[a.happening.event.kind] - ORDER[b.happening.event.kind] ||
        compare(referenceOf(a.happening), referenceOf(b.happening)) ||
        compare(a.brought_by ?? "", b.brought_by ?? ""),
    );
}

function isHappening(stored: StoredEvent): stored is Happening {
  return stored.event.kind in ORDER;
}

function timesOf(happening: Happening, relatedTo: (stored: StoredEvent) => Related): Timed[] {
  const { event } = happening;
  switch (event.kind) {
    case "signup":
      return [{ happening, at: effectiveSince(event), brought_by: null }];
    case "payment":
      return [{ happening, at: event.paid_at, brought_by: null }];
    case "customer":
      // A customer's record says for each when it was first told of.
      return (event.brought_by ?? []).flatMap(({ external_id, code, click_id, since }) => {
        const brought_by = external_id ?? code ?? click_id;
        return brought_by === null ? [] : { happening, at: since, brought_by };
      });
    case "checkout": {
      // Whatever the clocks say, a checkout is before the payment that it ended in.
      const paid = relatedTo(happening).payments.map(({ paid_at }) => paid_at.getTime());
      return [{ happening, at: new Date(Math.min(event.opened_at.getTime(), ...paid)), brought_by: null }];
    }
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
