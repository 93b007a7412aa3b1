import { chargePayments, isCharge } from "./charge-payments.ts";
import { closestPairs, type Pair } from "./closest-pairs.ts";
import { groupBy } from "./group-by.ts";
import type { PaymentMade } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

/** Maximum time between an invoice's payment and its charge. */
const WINDOW_MILLISECONDS = 60 * 60 * 1000;

/**
 * Pairs invoices that name no charge with charges that name no invoice: of the same customer, amount, currency and
 * hour, the closest first. So the same money is never counted twice before the report that links the two arrives. Once
 * it arrives, the link counts instead. Each group contains the facts of one payment.
 */
export function pairUnlinked(groups: Iterable<readonly StoredFact[]>): Pair[] {
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
export function isReported(facts: readonly StoredFact[]): boolean {
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
  const { customer_id, currency, paid_minor } = fact;
  return JSON.stringify([processor, customer_id, currency, String(paid_minor)]);
}
