import type { ProcessorName } from "@findersfee/contract/processors/processors";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { PaymentFact } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

type Named = Pick<StoredFact, "processor" | "fact">;

/**
 * Names that identify one payment. Processors may use the same id for different objects, so a subject that cannot be
 * referenced as a payment (a refund, a checkout) has a name with its own kind.
 */
export function paymentNames({ processor, fact }: Named): string[] {
  return [ownName({ processor, fact }), ...fact.references.map((id) => `${processor}:payment:${id}`)];
}

function ownName({ processor, fact: { kind, subject } }: Named): string {
  switch (kind) {
    case "payment":
    case "link":
    case "charge":
    // A charge is the subject of these facts.
    case "refunded_total":
    case "amounts":
      return `${processor}:payment:${subject}`;
    default:
      return `${processor}:${kind}:${subject}`;
  }
}

/** The ids in a fact that stand for its payment, as a commission can name it. */
export function paymentIdsOf({ kind, subject, references }: PaymentFact): string[] {
  switch (kind) {
    case "payment":
    case "link":
    case "charge":
    case "checkout":
    case "refunded_total":
    case "amounts":
      return [subject, ...references];
    default:
      return references;
  }
}

/** The beginnings of keys that name payments. An id follows. */
export const PAYMENT_KEYS = Object.values({
  stripe: ["stripe:payment:", "stripe:checkout:"],
  generic: ["generic:payment:", "generic:checkout:"],
} satisfies Record<ProcessorName, string[]>).flat();

function paymentKeyOf({ processor, id }: { processor: string; id: string }): string {
  return `${processor}:payment:${id}`;
}

/** The keys of customers with a payment of this id, as a manual commission names it. */
export function paymentKeys(id: string): string[] {
  return PAYMENT_KEYS.map((beginning) => `${beginning}${id}`);
}

/** Names of the parents of a fact, and its own name if it can be a parent. */
export function partNames({ processor, fact }: Named): string[] {
  const can_have_parts = fact.kind === "checkout" || fact.kind === "subscription";
  const ids = can_have_parts ? [fact.subject, ...fact.belongs_to] : fact.belongs_to;
  return ids.map((id) => `${processor}:part:${id}`);
}

/**
 * Names that identify a customer: its ids and emails, and the other processor ids in its facts. Facts that share a name
 * belong to the same customer. Customer ids are shared by all processors of an organization, as in
 * `processor_customer_id`.
 */
export function customerKeys(named: Named): string[] {
  const { fact } = named;
  const keys = [...paymentNames(named), ...partNames(named)];
  if ("customer_id" in fact && fact.customer_id !== null) keys.push(customerKey(fact.customer_id));
  for (const email of emailsOf(named)) keys.push(emailKey(email));
  if (fact.kind === "override") keys.push(...fact.payments.map(paymentKeyOf));
  return [...new Set(keys)];
}

/** All emails that a fact names, including former ones of a customer. */
export function emailsOf({ fact }: Named): string[] {
  if (!("email" in fact)) return [];
  const former = fact.kind === "customer" ? (fact.emails ?? []).map(({ email }) => email) : [];
  return fact.email === null ? former : [fact.email, ...former];
}

/** The keys by which a referral's customer is known. */
export function referralKeys({
  email,
  processor_customer_id,
}: {
  email: string;
  processor_customer_id: string | null;
}): string[] {
  return processor_customer_id === null
    ? [emailKey(email)]
    : [emailKey(email), customerKey(processor_customer_id)];
}

export function customerKey(customer_id: string): string {
  return `customer:${customer_id}`;
}

/** The customer id in a key. */
export function customerOf(key: string): string {
  return key.slice(customerKey("").length);
}

export function emailKey(email: string): string {
  return `email:${lowerCase(email)}`;
}

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
