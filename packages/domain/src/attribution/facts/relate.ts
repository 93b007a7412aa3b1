import { groupBy } from "../../group-by.ts";
import { UnionFind } from "./assign-customers.ts";
import { closestPairs, type Pair } from "./closest-pairs.ts";
import { paymentIdsOf, paymentNames, referenceOf } from "./fact-names.ts";
import { type Discounts, eachOnce, relateDiscounts } from "./named-candidates.ts";
import type { AmountsFact, ChargeMade, CheckoutFact, PaymentMade, ProductsFact } from "./payment-fact.ts";
import type { Reversals } from "./refunds.ts";
import type { Snapshot, StoredFact } from "./stored-fact.ts";

export interface Relations extends Discounts {
  /** The reported payments, and those that only charges report. */
  payments: readonly StoredFact<PaymentMade>[];
  /** The subset that only charges report: none of these is stored as a fact. */
  charge_payments: readonly StoredFact<PaymentMade>[];
  /** The name that `nameOf` returns for facts of the payment with this id. */
  nameOfPayment: (processor: string, payment_id: string) => string;
  /** Names the payment of a fact; facts of the same payment share the name. */
  nameOf: (stored: StoredFact) => string;
  /** The payments of a fact: one, unless its ids join several. */
  paymentsOf: (stored: StoredFact) => readonly PaymentMade[];
  /** All ids of a payment, from any of its facts. */
  idsOf: (payment: StoredFact) => string[];
  /** The same without the facts of a charge that is only supposed to pay it. */
  ownIdsOf: (payment: StoredFact) => string[];
  /** The payment intent and charges of a payment, sorted, so that the order of the reports does not matter. */
  chargesOf: (payment: StoredFact) => readonly StoredFact[];
  /** Other facts of a payment that can have its country, metadata and promo codes, in an order of their own. */
  evidenceOf: (payment: StoredFact) => readonly StoredFact<ChargeMade | CheckoutFact>[];
  /** The cards that paid a payment, sorted. */
  cardsOf: (payment: StoredFact) => string[];
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
  /** The charges of pairs, by their former name. */
  const supposed = new Set<StoredFact>();
  if (facts.some(isCharge)) {
    const by_name = groupBy(facts, nameOf);
    for (const { charge, invoice } of pairUnlinked(by_name.values())) {
      for (const stored of by_name.get(nameOf(charge)) ?? []) supposed.add(stored);
      same.unite([nameOf(charge), nameOf(invoice)]);
    }
  }
  const groups = new Map<string, Group>();
  const by_fact = new Map<StoredFact["fact"], Group>();
  const charge_payments: StoredFact<PaymentMade>[] = [];
  for (const [name, of_payment] of groupBy(facts, nameOf)) {
    const charged = isReported(of_payment) ? [] : chargePayments(of_payment.filter(isCharge));
    charge_payments.push(...charged);
    const payments = [...of_payment.filter(isPayment), ...charged].sort(byTime);
    const group = { facts: of_payment, payments };
    groups.set(name, group);
    for (const { fact } of of_payment) by_fact.set(fact, group);
  }
  // Touches are copies that have the same fact.
  const groupOf = (stored: StoredFact): Group =>
    by_fact.get(stored.fact) ?? groups.get(nameOf(stored)) ?? NO_GROUP;
  return {
    ...relateDiscounts(facts),
    payments: [...facts.filter(isPayment), ...charge_payments],
    charge_payments,
    nameOf,
    nameOfPayment: (processor, payment_id) => same.find(`${processor}:payment:${payment_id}`),
    paymentsOf: (stored) => groupOf(stored).payments.map(({ fact }) => fact),
    idsOf: (payment) => idsOf(payment, factsOf(payment, groupOf(payment))),
    ownIdsOf: (payment) => {
      const of_it = factsOf(payment, groupOf(payment));
      return idsOf(
        payment,
        of_it.filter((stored) => !supposed.has(stored)),
      );
    },
    chargesOf: (payment) => groupOf(payment).facts.filter(isCharge).sort(byPrecedence),
    evidenceOf: (payment) => factsOf(payment, groupOf(payment)).filter(isEvidence).sort(byReference),
    cardsOf: (payment) => [...new Set(factsOf(payment, groupOf(payment)).flatMap(cardOf))].sort(),
    reversalsOf: (payment) => reversalsOf(payment, groupOf(payment)),
    amountsOf: (stored) => amountsOf(groupOf(stored).facts),
    productsOf: (payment) => productsOf(payment, groupOf(payment)),
  };
}

/** Relates each array of facts once, however often it is asked for. */
export function relatedOnce(): (facts: readonly StoredFact[]) => Relations {
  const known = new Map<readonly StoredFact[], Relations>();
  return (facts) => {
    const before = known.get(facts);
    if (before !== undefined) return before;
    const relations = relate(facts);
    known.set(facts, relations);
    return relations;
  };
}

const NO_GROUP: Group = { facts: [], payments: [] };

/** The ids of a payment in some of its facts. */
function idsOf({ fact }: StoredFact, facts: readonly StoredFact[]): string[] {
  const { subject, references } = fact;
  // The payment's own fact alone.
  if (facts.length < 2 && references.length === 0 && facts.every((other) => other.fact === fact))
    return [subject];
  return [...new Set([subject, ...facts.flatMap(({ fact }) => paymentIdsOf(fact))])];
}

function isPayment(stored: StoredFact): stored is StoredFact<PaymentMade> {
  return stored.fact.kind === "payment";
}

function byTime(a: StoredFact<PaymentMade>, b: StoredFact<PaymentMade>): number {
  return a.fact.paid_at.getTime() - b.fact.paid_at.getTime() || (a.fact.subject < b.fact.subject ? -1 : 1);
}

/** The facts of a payment: all of its group, or those that it owns if there are several payments. */
function factsOf(payment: StoredFact, { facts, payments }: Group): readonly StoredFact[] {
  return payments.length <= 1 ? facts : facts.filter((stored) => ownerOf(stored, payments) === payment);
}

const NO_REVERSALS: Reversals = { refunds: [], disputes: [], totals: [], amounts: [] };

function reversalsOf(payment: StoredFact, group: Group): Reversals {
  // Most payments are reported by one fact.
  if (group.facts.length < 2) return NO_REVERSALS;
  const of_it = factsOf(payment, group);
  return {
    refunds: of_it.flatMap(({ fact }) => (fact.kind === "refund" ? fact : [])),
    disputes: of_it.flatMap(({ fact }) => (fact.kind === "dispute" ? fact : [])),
    totals: of_it.flatMap(({ fact }) => (fact.kind === "refunded_total" ? fact : [])),
    amounts: amountsOf(of_it),
  };
}

/** The card in a fact. */
export function cardOf({ fact }: StoredFact): string[] {
  return "card" in fact && fact.card !== undefined ? [fact.card] : [];
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

function isCharge(stored: StoredFact): stored is StoredFact<ChargeMade> {
  return stored.fact.kind === "charge";
}

function isEvidence(stored: StoredFact): stored is StoredFact<ChargeMade | CheckoutFact> {
  return stored.fact.kind === "charge" || stored.fact.kind === "checkout";
}

function byReference(a: StoredFact, b: StoredFact): number {
  return referenceOf(a) < referenceOf(b) ? -1 : 1;
}

/**
 * The payments that only payment intents and charges report, one for each payment id. The payment intent determines the
 * amount and the time. Either may name the customer, the email and the click.
 */
function chargePayments(charges: readonly StoredFact<ChargeMade>[]): StoredFact<PaymentMade>[] {
  const by_payment = groupBy(charges, ({ fact }) => fact.payment_id);
  return [...by_payment.values()].map((same) => paymentOf(same.toSorted(byPrecedence)));
}

/** The payment intent first, then its charges in the order of the processor's clock. */
function byPrecedence({ fact: a }: StoredFact<ChargeMade>, { fact: b }: StoredFact<ChargeMade>): number {
  return (
    Number(b.is_intent) - Number(a.is_intent) ||
    a.paid_at.getTime() - b.paid_at.getTime() ||
    (a.subject < b.subject ? -1 : 1)
  );
}

/** The first stored observations count. */
function observedOf(charges: readonly StoredFact[]): Partial<Snapshot> {
  const observed = charges.map(({ snapshot }) => snapshot.observed).filter((one) => one !== undefined);
  return observed.length === 0 ? {} : { observed: Object.assign({}, ...observed.reverse()) };
}

function paymentOf(charges: readonly StoredFact<ChargeMade>[]): StoredFact<PaymentMade> {
  const [first, ...others] = charges;
  if (first === undefined) throw new Error("a payment without charges");
  const { processor, message_id, fact } = first;
  const paid_minor = fact.is_intent
    ? fact.paid_minor
    : charges.reduce((sum, charge) => sum + charge.fact.paid_minor, 0n);
  const given = <Field extends "customer_id" | "email">(field: Field) =>
    charges.map((charge) => charge.fact[field]).find((value) => value !== null) ?? null;
  const rates = charges.find(({ snapshot }) => snapshot.exchange_rates)?.snapshot.exchange_rates;
  return {
    processor,
    message_id,
    snapshot: {
      candidates: eachOnce(charges.flatMap(({ snapshot }) => snapshot.candidates)),
      affiliates: [first, ...others].flatMap(({ snapshot }) => snapshot.affiliates),
      captured_at:
        first.snapshot.captured_at ??
        others.find(({ snapshot }) => snapshot.captured_at)?.snapshot.captured_at ??
        null,
      ...(rates !== undefined && { exchange_rates: rates }),
      ...observedOf(charges),
    },
    fact: {
      kind: "payment",
      subject: fact.payment_id,
      at: fact.at,
      rank: 0,
      references: [],
      belongs_to: [],
      customer_id: given("customer_id"),
      email: given("email"),
      promo_codes: charges.flatMap((charge) => charge.fact.promo_codes),
      click_ids: [...new Set(charges.flatMap((charge) => charge.fact.click_ids))],
      paid_at: fact.paid_at,
      currency: fact.currency,
      // Charges report no tax.
      revenue_minor: paid_minor,
      paid_minor,
      lines: [],
    },
  };
}

/** Maximum time between an invoice's payment and its charge. */
const WINDOW_MILLISECONDS = 60 * 60 * 1000;

/**
 * Pairs invoices that name no charge with charges that name no invoice: of the same customer, amount, currency and
 * hour, the closest first. So the same money is never counted twice before the report that links the two arrives. Once
 * it arrives, the link counts instead. Each group contains the facts of one payment.
 */
function pairUnlinked(groups: Iterable<readonly StoredFact[]>): Pair[] {
  const charges: StoredFact<PaymentMade>[] = [];
  const invoices: StoredFact<PaymentMade>[] = [];
  for (const facts of groups) {
    const invoice = unlinkedInvoice(facts);
    if (invoice !== null) invoices.push(invoice);
    else if (!isReported(facts)) charges.push(...chargePayments(facts.filter(isCharge)));
  }
  const charges_by_money = groupBy(charges.filter(isOfCustomer), moneyKey);
  return [...groupBy(invoices.filter(isOfCustomer), moneyKey)].flatMap(([money, of_money]) =>
    closestPairs(charges_by_money.get(money) ?? [], of_money, WINDOW_MILLISECONDS),
  );
}

/** Whether a checkout or an invoice reports the payment, or a link announces one. */
function isReported(facts: readonly StoredFact[]): boolean {
  return facts.some(({ fact }) => fact.kind === "payment" || (fact.kind === "link" && fact.has_report));
}

/** The invoice of a group that names no charge; null: there is none, or a charge is named. */
function unlinkedInvoice(facts: readonly StoredFact[]): StoredFact<PaymentMade> | null {
  let invoice: StoredFact<PaymentMade> | null = null;
  for (const stored of facts) {
    if (stored.fact.kind === "link" || stored.fact.kind === "charge") return null;
    if (stored.fact.kind !== "payment") continue;
    if (invoice !== null || stored.fact.names_no_charge !== true) return null;
    invoice = { ...stored, fact: stored.fact };
  }
  return invoice;
}

/** Equal amounts prove nothing about guests, who have no customer id. */
function isOfCustomer({ fact }: StoredFact<PaymentMade>): boolean {
  return fact.customer_id !== null;
}

function moneyKey({ processor, fact }: StoredFact<PaymentMade>): string {
  const { customer_id, currency, paid_minor, charged_minor = paid_minor } = fact;
  return JSON.stringify([processor, customer_id, currency, String(charged_minor)]);
}
