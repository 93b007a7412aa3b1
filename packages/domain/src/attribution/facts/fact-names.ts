import { lowerCase } from "@findersfee/database/lower-case";
import type { StoredFact } from "./stored-fact.ts";

type Named = Pick<StoredFact, "processor" | "fact">;

/**
 * The names that stand for one payment. Processors number different things alike: what cannot be referred to
 * as a payment (a refund, a checkout) has a name of its own kind.
 */
export function paymentNames({ processor, fact }: Named): string[] {
  return [ownName({ processor, fact }), ...fact.references.map((id) => `${processor}:payment:${id}`)];
}

function ownName({ processor, fact: { kind, subject } }: Named): string {
  switch (kind) {
    case "payment":
    case "link":
    case "charge":
    // A charge is their subject.
    case "refunded_total":
    case "amounts":
      return `${processor}:payment:${subject}`;
    default:
      return `${processor}:${kind}:${subject}`;
  }
}

/** The names of what it is a part of, and its own where others can be parts of it. */
export function partNames({ processor, fact }: Named): string[] {
  const can_have_parts = fact.kind === "checkout" || fact.kind === "subscription";
  const ids = can_have_parts ? [fact.subject, ...fact.belongs_to] : fact.belongs_to;
  return ids.map((id) => `${processor}:part:${id}`);
}

/**
 * By what a customer is known: its ids and emails, and whatever else of the processor its facts name. Events
 * that share one are of the same customer. Customers' ids are an organization's, whatever the processor, as
 * they are in `processor_customer_id`.
 */
export function customerKeys(named: Named): string[] {
  const { fact } = named;
  const keys = [...paymentNames(named), ...partNames(named)];
  if ("customer_id" in fact && fact.customer_id !== null) keys.push(customerKey(fact.customer_id));
  for (const email of emailsOf(named)) keys.push(emailKey(email));
  return [...new Set(keys)];
}

/** All emails that a fact names, also former ones of a customer. */
export function emailsOf({ fact }: Named): string[] {
  if (!("email" in fact)) return [];
  const former = fact.kind === "customer" ? (fact.emails ?? []).map(({ email }) => email) : [];
  return fact.email === null ? former : [fact.email, ...former];
}

export function customerKey(customer_id: string): string {
  return `customer:${customer_id}`;
}

export function emailKey(email: string): string {
  return `email:${lowerCase(email)}`;
}
