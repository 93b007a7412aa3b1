import type { StoredEvent } from "./stored-fact.ts";

/** Names an event within an organization: processor, kind and subject. */
export type EventReference = `${string}:${string}:${string}`;

export function referenceOf({ processor, event }: StoredEvent): EventReference {
  return `${processor}:${event.kind}:${event.subject}`;
}

/** The reference of a payment by its id. */
export function paymentReference(processor: string, payment_id: string): EventReference {
  return `${processor}:payment:${payment_id}`;
}

/** An event's reference as a referral keeps it. */
export function readStoredReference(text: string): EventReference {
  const [, processor, kind, subject] = /^([^:]+):([^:]+):(.+)$/s.exec(text) ?? [];
  if (processor === undefined || kind === undefined || subject === undefined) {
    throw new Error(`a referral is bound by ${text}, which names no payment event`);
  }
  return `${processor}:${kind}:${subject}`;
}
