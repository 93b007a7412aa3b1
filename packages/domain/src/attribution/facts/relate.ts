import { byPrecedence, chargePayments, isCharge } from "./charge-payments.ts";
import { paymentNames } from "./fact-names.ts";
import { groupBy } from "./group-by.ts";
import type { AmountsFact, PaymentMade, ProductsFact } from "./payment-fact.ts";
import type { Reversals } from "./refunds.ts";
import type { StoredFact } from "./stored-fact.ts";
import { UnionFind } from "./union-find.ts";
import { isReported, pairUnlinked } from "./unlinked-invoices.ts";

/** The facts of one payment. */
export interface Related {
  payments: readonly PaymentMade[];
  /** Ids of the payment, from any of its facts. */
  ids: readonly string[];
}

export interface Relations {
  /** The reported payments, and those that only charges report. */
  payments: readonly StoredFact<PaymentMade>[];
  /** The subset that only charges report: none of these is stored as a fact. */
  charge_payments: readonly StoredFact<PaymentMade>[];
  /** The name that `nameOf` returns for facts of the payment with this id. */
  nameOfPayment: (processor: string, payment_id: string) => string;
  /** Names the payment of a fact; facts of the same payment share the name. */
  nameOf: (stored: StoredFact) => string;
  relatedTo: (stored: StoredFact) => Related;
  /** The payment intent and charges of a payment, sorted, so that the order of the reports does not matter. */
  chargesOf: (payment: StoredFact) => readonly StoredFact[];
  /** The refunds and disputes of a payment. */
  reversalsOf: (payment: StoredFact) => Reversals;
  /** Reports of the amounts of a fact's payment in other currencies. */
  amountsOf: (stored: StoredFact) => AmountsFact[];
  /** The products of a payment, if its own message does not include them; undefined: not known yet. */
  productsOf: (payment: StoredFact) => ProductsFact | undefined;
}

interface Group {
  facts: StoredFact[];
  payments: StoredFact<PaymentMade>[];
}

/**
 * Groups the facts of the same payment: facts that share an id, directly or through others (a refund names a charge, a
 * charge its payment intent, and a link says which invoice that one paid). If that joins several payments, each refund
 * belongs to one of them: the first that it names itself, else the first.
 */
export function relate(facts: readonly StoredFact[]): Relations {
  const same = new UnionFind();
  for (const stored of facts) same.unite(paymentNames(stored));
  const nameOf = (stored: StoredFact) => same.find(paymentNames(stored)[0] ?? "");
  if (facts.some(isCharge)) {
    const pairs = pairUnlinked(groupBy(facts, nameOf).values());
    for (const { charge, invoice } of pairs) same.unite([nameOf(charge), nameOf(invoice)]);
  }
  const groups = new Map<string, Group>();
  const charge_payments: StoredFact<PaymentMade>[] = [];
  for (const [name, of_payment] of groupBy(facts, nameOf)) {
    const charged = isReported(of_payment) ? [] : chargePayments(of_payment.filter(isCharge));
    charge_payments.push(...charged);
    const payments = [...of_payment.filter(isPayment), ...charged].sort(byTime);
    groups.set(name, { facts: of_payment, payments });
  }
  const groupOf = (stored: StoredFact): Group => groups.get(nameOf(stored)) ?? NO_GROUP;
  return {
    payments: [...facts.filter(isPayment), ...charge_payments],
    charge_payments,
    nameOf,
    nameOfPayment: (processor, payment_id) => same.find(`${processor}:payment:${payment_id}`),
    relatedTo: (stored) => {
      const group = groupOf(stored);
      return {
        payments: group.payments.map(({ fact }) => fact),
        ids: group.facts.flatMap(idsOf),
      };
    },
    chargesOf: (payment) => groupOf(payment).facts.filter(isCharge).sort(byPrecedence),
    reversalsOf: (payment) => reversalsOf(payment, groupOf(payment)),
    amountsOf: (stored) => amountsOf(groupOf(stored).facts),
    productsOf: (payment) => productsOf(payment, groupOf(payment)),
  };
}

const NO_GROUP: Group = { facts: [], payments: [] };

function idsOf({ fact }: StoredFact): string[] {
  return fact.kind === "charge" ? [fact.subject, ...fact.references] : fact.references;
}

function isPayment(stored: StoredFact): stored is StoredFact<PaymentMade> {
  return stored.fact.kind === "payment";
}

function byTime(a: StoredFact<PaymentMade>, b: StoredFact<PaymentMade>): number {
  return a.fact.paid_at.getTime() - b.fact.paid_at.getTime() || (a.fact.subject < b.fact.subject ? -1 : 1);
}

function reversalsOf(payment: StoredFact, { facts, payments }: Group): Reversals {
  const of_it =
    payments.length <= 1 ? facts : facts.filter((stored) => ownerOf(stored, payments) === payment);
  return {
    refunds: of_it.flatMap(({ fact }) => (fact.kind === "refund" ? fact : [])),
    disputes: of_it.flatMap(({ fact }) => (fact.kind === "dispute" ? fact : [])),
    totals: of_it.flatMap(({ fact }) => (fact.kind === "refunded_total" ? fact : [])),
    amounts: amountsOf(of_it),
  };
}

function amountsOf(facts: readonly StoredFact[]): AmountsFact[] {
  return facts.flatMap(({ fact }) => (fact.kind === "amounts" ? fact : []));
}

function productsOf(payment: StoredFact, { facts, payments }: Group): ProductsFact | undefined {
  for (const stored of facts) {
    if (stored.fact.kind === "products" && ownerOf(stored, payments) === payment) return stored.fact;
  }
  return undefined;
}

function ownerOf(stored: StoredFact, payments: readonly StoredFact<PaymentMade>[]): StoredFact | undefined {
  const named = new Set(paymentNames(stored));
  return payments.find((payment) => paymentNames(payment).some((name) => named.has(name))) ?? payments[0];
}
