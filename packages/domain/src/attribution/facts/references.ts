import type { StoredFact } from "./stored-fact.ts";

/** Names a fact within an organization: processor, kind and subject. */
export type FactReference = `${string}:${string}:${string}`;

export function referenceOf({ processor, fact }: StoredFact): FactReference {
  return `${processor}:${fact.kind}:${fact.subject}`;
}

/** The reference of a payment by its id. */
export function paymentReference(processor: string, payment_id: string): FactReference {
  return `${processor}:payment:${payment_id}`;
}

/** The reference of a fact, as a referral stores it. */
export function readStoredReference(text: string): FactReference {
  const [, processor, kind, subject] = /^([^:]+):([^:]+):(.+)$/s.exec(text) ?? [];
  if (processor === undefined || kind === undefined || subject === undefined) {
    throw new Error(`a referral is attributed by ${text}, which is not a payment fact`);
  }
  return `${processor}:${kind}:${subject}`;
}
