import { timeOfId } from "../../ids.ts";
import type { PaymentEvent, SignUpEvent } from "./payment-fact.ts";
import type { StoredEvent } from "./stored-fact.ts";

/** Sign-ups are often reported shortly after the payment that came with them. */
export const SIGN_UP_TOLERANCE_MILLISECONDS = 60 * 60 * 1000;

export function isSignUp(stored: StoredEvent): stored is StoredEvent<SignUpEvent> {
  return stored.event.kind === "signup";
}

/** When a sign-up's click was made: its id says so. */
function clickTimeOf({ click_ids: [click_id] }: SignUpEvent): Date {
  if (click_id === undefined) throw new Error("a sign-up without a click");
  return timeOfId(click_id);
}

/** From when on a sign-up refers its customer: an hour before it was reported, but not before its click. */
export function effectiveSince(event: SignUpEvent): Date {
  const earliest = event.at.getTime() - SIGN_UP_TOLERANCE_MILLISECONDS;
  return new Date(Math.max(earliest, clickTimeOf(event).getTime()));
}

/** When a customer first appears in a payment, a charge, a subscription or a checkout. Null: in none. */
export function customerSince(events: readonly StoredEvent[]): Date | null {
  let first: Date | null = null;
  for (const { event } of events) {
    const since = sinceOf(event);
    if (since !== null && (first === null || since < first)) first = since;
  }
  return first;
}

function sinceOf(event: PaymentEvent): Date | null {
  switch (event.kind) {
    case "payment":
      return event.subscribed_since ?? event.paid_at;
    case "charge":
      return event.paid_at;
    case "subscription":
      return event.since ?? event.at;
    case "checkout":
      return event.opened_at;
    default:
      return null;
  }
}
