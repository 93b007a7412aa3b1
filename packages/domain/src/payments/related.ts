import type { DisputeEvent, PaymentMade, RefundEvent, RefundedTotal } from "../processors/payment-event.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { TakenBackFacts } from "./taken-back.ts";
import { UnionFind } from "./union-find.ts";

/** What is told of the same payment as an event. */
export interface Related extends TakenBackFacts {
  payments: readonly PaymentMade[];
}

interface Parts extends Related {
  payments: PaymentMade[];
  refunds: RefundEvent[];
  disputes: DisputeEvent[];
  totals: RefundedTotal[];
}

/**
 * Finds what is of the same payment: what shares an id that stands for it, also by way of others (a refund
 * names a charge, a charge its payment intent, and a link says which invoice that one paid).
 */
export function relate(events: readonly StoredEvent[]): (stored: StoredEvent) => Related {
  const same = new UnionFind();
  for (const stored of events) same.unite(namesOf(stored));
  const parts = new Map<string, Parts>();
  const partsOf = (stored: StoredEvent): Parts => {
    const group = same.find(firstName(stored));
    let known = parts.get(group);
    if (known === undefined) {
      known = { payments: [], refunds: [], disputes: [], totals: [] };
      parts.set(group, known);
    }
    return known;
  };
  for (const stored of events) sort(stored.event, partsOf(stored));
  return partsOf;
}

function sort(event: StoredEvent["event"], { payments, refunds, disputes, totals }: Parts): void {
  switch (event.kind) {
    case "payment":
      payments.push(event);
      break;
    case "refund":
      refunds.push(event);
      break;
    case "dispute":
      disputes.push(event);
      break;
    case "refunded_total":
      totals.push(event);
      break;
    case "checkout":
    case "customer":
    case "subscription":
    case "link":
      break;
  }
}

function firstName({ processor, event }: StoredEvent): string {
  return `${processor}:${event.subject}`;
}

function namesOf(stored: StoredEvent): string[] {
  return [firstName(stored), ...stored.event.references.map((id) => `${stored.processor}:${id}`)];
}
