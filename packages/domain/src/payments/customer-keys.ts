import type { StoredEvent } from "./stored-event.ts";

/**
 * By what a customer is known: ids of customers, emails, and whatever else of the processor an event names.
 * Events that share one are of the same customer. Customers' ids are an organization's, whatever the
 * processor, as they are in `processor_customer_id`.
 */
export function customerKeys({ processor, event }: Pick<StoredEvent, "processor" | "event">): string[] {
  const keys = [event.subject, ...event.references, ...event.belongs_to].map((id) => `${processor}:${id}`);
  if ("customer_id" in event && event.customer_id !== null) keys.push(customerKey(event.customer_id));
  if ("email" in event && event.email !== null) keys.push(`email:${event.email.toLowerCase()}`);
  return [...new Set(keys)];
}

export function customerKey(customer_id: string): string {
  return `customer:${customer_id}`;
}
