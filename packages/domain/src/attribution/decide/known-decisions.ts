import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import { type FactReference, paymentReference, referenceOf } from "../facts/fact-names.ts";
import type { PaymentMade } from "../facts/payment-fact.ts";
import type { Relations } from "../facts/relate.ts";
import type { StoredFact } from "../facts/stored-fact.ts";

/** The stored decisions, assigned to the payments as they are known now. */
export interface KnownDecisions {
  /** The decisions by payment. */
  decisions: Map<FactReference, StoredDecision>;
  /** Decisions of charges that turned out to pay something else. */
  replaced: StoredDecision[];
}

/**
 * Hands over decisions. A charge that was decided as a payment of its own may turn out to belong to an invoice. The
 * invoice's payment then takes over the decision with its commission, unless it has one already. So one payment earns
 * once and announces one commission, in any order of the reports. If the charge turns out to have paid something else,
 * its decision returns to it, and the invoice's payment takes over the decision of the charge that paid the invoice.
 */
export function handOver(
  stored: ReadonlyMap<FactReference, StoredDecision>,
  payments: readonly StoredFact<PaymentMade>[],
  {
    nameOfPayment,
    namedBy,
  }: Pick<Relations, "nameOfPayment"> & {
    /** The payment that the commission of a decision names. */
    namedBy: (decision: StoredDecision) => string | null;
  },
): KnownDecisions {
  const current = new Set(payments.map(referenceOf));
  const decisions = new Map<FactReference, StoredDecision>();
  const orphans: StoredDecision[] = [];
  for (const [reference, decision] of stored) {
    const origin = originOf(decision, namedBy);
    if (origin !== null && current.has(origin) && !stored.has(origin)) decisions.set(origin, decision);
    else if (current.has(reference)) decisions.set(reference, decision);
    else orphans.push(decision);
  }
  const replaced: StoredDecision[] = [];
  const heirs = new Map<string, FactReference[]>();
  for (const payment of orphans.length === 0 ? [] : payments) {
    const reference = referenceOf(payment);
    if (decisions.has(reference)) continue;
    const name = nameOfPayment(payment.processor, payment.fact.subject);
    heirs.set(name, [...(heirs.get(name) ?? []), reference]);
  }
  for (const decision of orphans.sort(byAge)) {
    const heir = heirs.get(nameOfPayment(decision.processor, decision.payment_id))?.shift();
    if (heir === undefined) replaced.push(decision);
    else decisions.set(heir, decision);
  }
  return { decisions, replaced };
}

/** The payment that a decision was taken over from, while its commission still names that payment; null: none. */
function originOf(
  decision: StoredDecision,
  namedBy: (decision: StoredDecision) => string | null,
): FactReference | null {
  const { taken_over_from } = decision;
  if (taken_over_from === null || namedBy(decision) !== taken_over_from) return null;
  return paymentReference(decision.processor, taken_over_from);
}

/**
 * The payment that a decision was made for before `payment` took it over; null: none, or the decision returns to it.
 */
export function takenOverFrom(known: StoredDecision | undefined, payment: PaymentMade): string | null {
  if (known === undefined || known.taken_over_from === payment.subject) return null;
  return known.payment_id === payment.subject ? known.taken_over_from : known.payment_id;
}

/** Decisions that counted before replaced ones, then by age. */
function byAge(a: StoredDecision, b: StoredDecision): number {
  return Number(a.replaced_at !== null) - Number(b.replaced_at !== null) || (a.id < b.id ? -1 : 1);
}

/** The payments under which a fact may have been decided. */
export function decidedAs(stored: StoredFact): FactReference {
  const { processor, fact } = stored;
  return fact.kind === "charge" ? paymentReference(processor, fact.payment_id) : referenceOf(stored);
}
