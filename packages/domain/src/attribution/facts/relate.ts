import { byPrecedence, chargePayments, isCharge } from "./charge-payments.ts";
import { paymentNames } from "./fact-names.ts";
import { groupBy } from "./group-by.ts";
import type { AmountsEvent, PaymentMade, ProductsEvent } from "./payment-fact.ts";
import type { TakenBackFacts } from "./refunds.ts";
import type { StoredEvent } from "./stored-fact.ts";
import { UnionFind } from "./union-find.ts";
import { isReported, pairUnlinked } from "./unlinked-invoices.ts";

/** What is told of the same payment as an event. */
export interface Related {
  payments: readonly PaymentMade[];
  /** Ids that stand for it, whatever tells them. */
  ids: readonly string[];
}

export interface Relations {
  /** The payments that are reported as such, and those that only charges report. */
  payments: readonly StoredEvent<PaymentMade>[];
  /** Of these, the ones that only charges report: no event of theirs is stored. */
  charge_payments: readonly StoredEvent<PaymentMade>[];
  /** The name that `nameOf` gives to events of the payment with this id. */
  nameOfPayment: (processor: string, payment_id: string) => string;
  /** Names the payment that an event is about; events of the same payment share the name. */
  nameOf: (stored: StoredEvent) => string;
  relatedTo: (stored: StoredEvent) => Related;
  /** The payment intent and charges of a payment, in an order that does not depend on the order of the reports. */
  chargesOf: (payment: StoredEvent) => readonly StoredEvent[];
  /** What was taken back of a payment. */
  takenBackOf: (payment: StoredEvent) => TakenBackFacts;
  /** Reports of the amounts of an event's payment in other currencies. */
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
  const nameOf = (stored: StoredEvent) => same.find(paymentNames(stored)[0] ?? "");
  if (events.some(isCharge)) {
    const pairs = pairUnlinked(groupBy(events, nameOf).values());
    for (const { charge, invoice } of pairs) same.unite([nameOf(charge), nameOf(invoice)]);
  }
  const groups = new Map<string, Group>();
  const charge_payments: StoredEvent<PaymentMade>[] = [];
  for (const [name, of_payment] of groupBy(events, nameOf)) {
    const charged = isReported(of_payment) ? [] : chargePayments(of_payment.filter(isCharge));
    charge_payments.push(...charged);
    const payments = [...of_payment.filter(isPayment), ...charged].sort(byTime);
    groups.set(name, { events: of_payment, payments });
  }
  const groupOf = (stored: StoredEvent): Group => groups.get(nameOf(stored)) ?? NO_GROUP;
  return {
    payments: [...events.filter(isPayment), ...charge_payments],
    charge_payments,
    nameOf,
    nameOfPayment: (processor, payment_id) => same.find(`${processor}:payment:${payment_id}`),
    relatedTo: (stored) => {
      const group = groupOf(stored);
      return {
        payments: group.payments.map(({ event }) => event),
        ids: group.events.flatMap(idsOf),
      };
    },
    chargesOf: (payment) => groupOf(payment).events.filter(isCharge).sort(byPrecedence),
    takenBackOf: (payment) => takenBackOf(payment, groupOf(payment)),
    amountsOf: (stored) => amountsOf(groupOf(stored).events),
    productsOf: (payment) => productsOf(payment, groupOf(payment)),
  };
}

const NO_GROUP: Group = { events: [], payments: [] };

function idsOf({ event }: StoredEvent): string[] {
  return event.kind === "charge" ? [event.subject, ...event.references] : event.references;
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
