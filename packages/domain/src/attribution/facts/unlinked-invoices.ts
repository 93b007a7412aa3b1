import { chargePayments, isCharge } from "./charge-payments.ts";
import { closestPairs, type Pair } from "./closest-pairs.ts";
import { groupBy } from "./group-by.ts";
import type { PaymentMade } from "./payment-fact.ts";
import type { StoredEvent } from "./stored-fact.ts";

/** So far apart, at most, an invoice's payment and the charge that paid it are reported to have happened. */
const WINDOW_MILLISECONDS = 60 * 60 * 1000;

/**
 * Pairs invoices that name no charge with charges that name no invoice: of the same customer, amount, currency and
 * hour, the closest first. So the same money is never counted twice while the report that links the two is missing.
 * Once it is reported, the link counts instead. Each group has the events of one payment.
 */
export function pairUnlinked(groups: Iterable<readonly StoredEvent[]>): Pair[] {
  const charges: StoredEvent<PaymentMade>[] = [];
  const invoices: StoredEvent<PaymentMade>[] = [];
  for (const events of groups) {
    const invoice = unlinkedInvoice(events);
    if (invoice !== null) invoices.push(invoice);
    else if (!isReported(events)) charges.push(...chargePayments(events.filter(isCharge)));
  }
  const charges_by_money = groupBy(charges.filter(isOfCustomer), moneyKey);
  return [...groupBy(invoices.filter(isOfCustomer), moneyKey)].flatMap(([money, of_money]) =>
    closestPairs(charges_by_money.get(money) ?? [], of_money, WINDOW_MILLISECONDS),
  );
}

/** Whether a checkout or an invoice reports the payment, or has said that it will. */
export function isReported(events: readonly StoredEvent[]): boolean {
  return events.some(({ event }) => event.kind === "payment" || (event.kind === "link" && event.has_report));
}

/** The invoice of a group in which nothing names a charge; null: it is no such group. */
function unlinkedInvoice(events: readonly StoredEvent[]): StoredEvent<PaymentMade> | null {
  let invoice: StoredEvent<PaymentMade> | null = null;
  for (const stored of events) {
    if (stored.event.kind === "link" || stored.event.kind === "charge") return null;
    if (stored.event.kind !== "payment") continue;
    if (invoice !== null || stored.event.names_no_charge !== true) return null;
    invoice = { ...stored, event: stored.event };
  }
  return invoice;
}

/** Of a guest, without a customer id, equal amounts prove nothing. */
function isOfCustomer({ event }: StoredEvent<PaymentMade>): boolean {
  return event.customer_id !== null;
}

function moneyKey({ processor, event }: StoredEvent<PaymentMade>): string {
  const { customer_id, currency, paid_minor } = event;
  return JSON.stringify([processor, customer_id, currency, String(paid_minor)]);
}
