import { lowerCase } from "@findersfee/database/lower-case";
import type { StoredEvent } from "./stored-fact.ts";

type Named = Pick<StoredEvent, "processor" | "event">;

/**
 * The names that stand for one payment. Processors number different things alike: what cannot be referred to
 * as a payment (a refund, a checkout) has a name of its own kind.
 */
export function paymentNames({ processor, event }: Named): string[] {
  return [ownName({ processor, event }), ...event.references.map((id) => `${processor}:payment:${id}`)];
}

function ownName({ processor, event: { kind, subject } }: Named): string {
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
export function partNames({ processor, event }: Named): string[] {
  const can_have_parts = event.kind === "checkout" || event.kind === "subscription";
  const ids = can_have_parts ? [event.subject, ...event.belongs_to] : event.belongs_to;
  return ids.map((id) => `${processor}:part:${id}`);
}

/**
 * By what a customer is known: its ids and emails, and whatever else of the processor its events name. Events
 * that share one are of the same customer. Customers' ids are an organization's, whatever the processor, as
 * they are in `processor_customer_id`.
 */
export function customerKeys(named: Named): string[] {
  const { event } = named;
  const keys = [...paymentNames(named), ...partNames(named)];
  if ("customer_id" in event && event.customer_id !== null) keys.push(customerKey(event.customer_id));
  for (const email of emailsOf(named)) keys.push(emailKey(email));
  return [...new Set(keys)];
}

/** All emails that an event names, also former ones of a customer. */
export function emailsOf({ event }: Named): string[] {
  if (!("email" in event)) return [];
  const former = event.kind === "customer" ? (event.emails ?? []).map(({ email }) => email) : [];
  return event.email === null ? former : [event.email, ...former];
}

export function customerKey(customer_id: string): string {
  return `customer:${customer_id}`;
}

export function emailKey(email: string): string {
  return `email:${lowerCase(email)}`;
}
