import type { Meaning, PaymentEvent } from "../../src/attribution/facts/payment-fact.ts";

/** What a message says, where it must say something. */
export function understood(meaning: Meaning): PaymentEvent[] {
  if (meaning.outcome !== "understood") throw new Error(`${meaning.outcome}: ${meaning.reason}`);
  return meaning.events;
}

/** The one thing of a kind that a message says. */
export function only<Kind extends PaymentEvent["kind"]>(
  meaning: Meaning,
  kind: Kind,
): Extract<PaymentEvent, { kind: Kind }> {
  const found = understood(meaning).filter(
    (event): event is Extract<PaymentEvent, { kind: Kind }> => event.kind === kind,
  );
  const [event] = found;
  if (event === undefined || found.length > 1) throw new Error(`${found.length} of ${kind}`);
  return event;
}

/** A second as Stripe counts them, as a date. */
export function date(seconds: number): Date {
  return new Date(seconds * 1000);
}
