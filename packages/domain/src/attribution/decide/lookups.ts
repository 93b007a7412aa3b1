import type { LookupPurpose } from "@findersfee/database/processors/lookups";
import { referenceOf } from "../facts/fact-names.ts";
import { isUnconverted } from "../facts/payment-currency.ts";
import type { PaymentFact } from "../facts/payment-fact.ts";
import type { StoredFact } from "../facts/stored-fact.ts";
import type { CustomerHistory } from "./history.ts";
import type { CustomerOutcome } from "./outcome.ts";

/** Data that a payment fact waits for and that its processor's API provides. */
export interface Lookup {
  purpose: LookupPurpose;
  /** The processor's id of the object to fetch. */
  object_id: string;
}

/** The form stored with the fact. */
export function lookupText({ purpose, object_id }: Lookup): string {
  return `${purpose} ${object_id}`;
}

/**
 * Returns the lookups that would change a customer's outcome, derived from the same facts as the outcome. The result of
 * a lookup is one more fact. Once it provides the missing data, the lookup is no longer wanted. Only Stripe has an API.
 */
export function wantedLookups(history: CustomerHistory, outcome: CustomerOutcome): Map<StoredFact, Lookup> {
  const wanted = new Map<StoredFact, Lookup>();
  const facts = new Facts(history, outcome);
  const outcomes = new Map(outcome.payments.map((item) => [item.reference, item.outcome]));
  for (const stored of history.facts) {
    if (stored.processor !== "stripe") continue;
    const lookup =
      productsLookup(stored, outcomes.get(referenceOf(stored))) ??
      paymentLookup(stored, facts) ??
      promoCodesLookup(stored, facts);
    if (lookup !== null) wanted.set(stored, lookup);
  }
  return withoutRepeats(wanted);
}

/** A checkout and its payment name the same code. One of them waits for it, regardless of the order of the facts. */
function withoutRepeats(wanted: ReadonlyMap<StoredFact, Lookup>): Map<StoredFact, Lookup> {
  const first = new Map<string, StoredFact>();
  for (const [stored, lookup] of wanted) {
    const text = lookupText(lookup);
    const other = first.get(text);
    if (other === undefined || referenceOf(stored) < referenceOf(other)) first.set(text, stored);
  }
  return new Map(
    [...wanted].filter(
      ([stored, lookup]) => lookup.purpose !== "promo_codes" || first.get(lookupText(lookup)) === stored,
    ),
  );
}

/** The facts that decide about lookups, computed only for the few customers with missing data. */
class Facts {
  readonly history: CustomerHistory;
  readonly outcome: CustomerOutcome;
  #checkouts: Set<string> | null = null;

  constructor(history: CustomerHistory, outcome: CustomerOutcome) {
    this.history = history;
    this.outcome = outcome;
  }

  isTold(checkout: string): boolean {
    this.#checkouts ??= new Set(
      this.history.facts.flatMap(({ fact }) => (fact.kind === "checkout" ? fact.subject : [])),
    );
    return this.#checkouts.has(checkout);
  }
}

function productsLookup({ fact }: StoredFact, outcome: string | undefined): Lookup | null {
  if (fact.kind !== "payment" || fact.lines_at === undefined || outcome !== "products_unknown") return null;
  return { purpose: "products", object_id: fact.lines_at };
}

/** A refund or dispute without its payment, or in a currency that cannot be converted. */
function paymentLookup(stored: StoredFact, facts: Facts): Lookup | null {
  const { fact } = stored;
  if (fact.kind !== "refund" && fact.kind !== "dispute" && fact.kind !== "refunded_total") return null;
  // Returned money changes nothing.
  if (fact.kind !== "refunded_total" && fact.until !== null) return null;
  const object_id = paymentIdOf(fact);
  if (object_id === undefined) return null;
  const { paymentsOf, amountsOf } = facts.history.relations;
  const [payment] = paymentsOf(stored);
  if (payment === undefined) return { purpose: "payment", object_id };
  if (fact.currency === undefined || fact.currency === payment.currency) return null;
  return isUnconverted(fact, { payment, amounts: amountsOf(stored) })
    ? { purpose: "amounts", object_id }
    : null;
}

/** The payment intent, which includes the charge, or else the charge. */
function paymentIdOf({ kind, subject, references }: PaymentFact): string | undefined {
  const ids = kind === "refunded_total" ? [...references, subject] : references;
  const withPrefix = (...prefixes: string[]) =>
    ids.find((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  return withPrefix("pi_") ?? withPrefix("ch_", "py_");
}

/** Unknown promo codes, while they can change the customer's outcome. */
function promoCodesLookup(stored: StoredFact, facts: Facts): Lookup | null {
  const { fact } = stored;
  if (fact.kind !== "checkout" && fact.kind !== "payment" && fact.kind !== "customer") return null;
  const { hidden_discounts: hidden, promo_codes } = fact;
  if (hidden === undefined && promo_codes.length === 0) return null;
  const { history, outcome } = facts;
  const at = momentOf(history.relations.checkoutOf(stored)?.fact ?? fact);
  if (outcome.referrals.some(({ since }) => since < at)) return null;
  if (hidden?.reported_by.some((subject) => !facts.isTold(subject))) {
    return { purpose: "promo_codes", object_id: hidden.object_id };
  }
  const known = new Set(history.candidatesOf(stored).map(({ reference }) => reference));
  const unknown = promo_codes.find(
    ({ external_id, code }) =>
      external_id?.startsWith("promo_") === true && code === null && !known.has(external_id),
  );
  return unknown?.external_id ? { purpose: "promo_codes", object_id: unknown.external_id } : null;
}

function momentOf(fact: Extract<PaymentFact, { kind: "checkout" | "payment" | "customer" }>): Date {
  if (fact.kind === "checkout") return fact.opened_at;
  return fact.kind === "payment" ? fact.paid_at : fact.at;
}
