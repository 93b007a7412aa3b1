import type { AmountsEvent, PaymentMade, ProductsEvent } from "../processors/payment-event.ts";
import { paymentNames } from "./event-names.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { TakenBackFacts } from "./taken-back.ts";
import { UnionFind } from "./union-find.ts";

/** What is told of the same payment as an event. */
export interface Related {
  payments: readonly PaymentMade[];
  /** Ids that stand for it, whatever tells them. */
  ids: readonly string[];
}

export interface Relations {
  /** Names the payment that an event is about; events of the same payment share the name. */
  nameOf: (stored: StoredEvent) => string;
  relatedTo: (stored: StoredEvent) => Related;
  /** What was taken back of a payment. */
  takenBackOf: (payment: StoredEvent) => TakenBackFacts;
  /** What is told of the amounts of an event's payment in other currencies. */
  amountsOf: (stored: StoredEvent) => AmountsEvent[];
  /** The products of a payment whose own message does not carry them; undefined: not known yet. */
  productsOf: (payment: StoredEvent) => ProductsEvent | undefined;
}

interface Group {
  events: StoredEvent[];
  payments: StoredEvent<PaymentMade>[];
}

/**
 * Finds what is of the same payment: what shares an id that stands for it, also by way of others (a refund
 * names a charge, a charge its payment intent, and a link says which invoice that one paid). Where that makes
 * several payments one, each refund is of one of them: the first that it names itself, else the first.
 */
export function relate(events: readonly StoredEvent[]): Relations {
  const same = new UnionFind();
  for (const stored of events) same.unite(paymentNames(stored));
  const groups = new Map<string, Group>();
  const nameOf = (stored: StoredEvent) => same.find(paymentNames(stored)[0] ?? "");
  const groupOf = (stored: StoredEvent): Group => {
    const name = nameOf(stored);
    const known = groups.get(name) ?? { events: [], payments: [] };
    groups.set(name, known);
    return known;
  };
  for (const stored of events) {
    const group = groupOf(stored);
    group.events.push(stored);
    if (isPayment(stored)) group.payments.push(stored);
  }
  for (const { payments } of groups.values()) payments.sort(byTime);
  return {
    nameOf,
    relatedTo: (stored) => {
      const group = groupOf(stored);
      return {
        payments: group.payments.map(({ event }) => event),
        ids: group.events.flatMap(({ event }) => event.references),
      };
    },
    takenBackOf: (payment) => takenBackOf(payment, groupOf(payment)),
    amountsOf: (stored) => amountsOf(groupOf(stored).events),
    productsOf: (payment) => productsOf(payment, groupOf(payment)),
  };
}

function isPayment(stored: StoredEvent): stored is StoredEvent<PaymentMade> {
  return stored.event.kind === "payment";
}

function byTime(a: StoredEvent<PaymentMade>, b: StoredEvent<PaymentMade>): number {
  return (
    a.event.paid_at.getTime() - b.event.paid_at.getTime() || (a.event.subject < b.event.subject ? -1 : 1)
  );
}

function takenBackOf(payment: StoredEvent, { events, payments }: Group): TakenBackFacts {
  const of_it =
    payments.length <= 1 ? events : events.filter((stored) => ownerOf(stored, payments) === payment);
  return {
    refunds: of_it.flatMap(({ event }) => (event.kind === "refund" ? event : [])),
    disputes: of_it.flatMap(({ event }) => (event.kind === "dispute" ? event : [])),
    totals: of_it.flatMap(({ event }) => (event.kind === "refunded_total" ? event : [])),
    amounts: amountsOf(of_it),
  };
}

function amountsOf(events: readonly StoredEvent[]): AmountsEvent[] {
  return events.flatMap(({ event }) => (event.kind === "amounts" ? event : []));
}

function productsOf(payment: StoredEvent, { events, payments }: Group): ProductsEvent | undefined {
  for (const stored of events) {
    if (stored.event.kind === "products" && ownerOf(stored, payments) === payment) return stored.event;
  }
  return undefined;
}

function ownerOf(
  stored: StoredEvent,
  payments: readonly StoredEvent<PaymentMade>[],
): StoredEvent | undefined {
  const named = new Set(paymentNames(stored));
  return payments.find((payment) => paymentNames(payment).some((name) => named.has(name))) ?? payments[0];
}
