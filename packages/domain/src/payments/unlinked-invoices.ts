import type { PaymentMade } from "../processors/payment-event.ts";
import { chargePayments, isCharge } from "./charge-payments.ts";
import type { StoredEvent } from "./stored-event.ts";

/** So far apart, at most, an invoice's payment and the charge that paid it are reported to have happened. */
const WINDOW_MILLISECONDS = 60 * 60 * 1000;

/** An invoice and the charge that paid it, though nothing reported yet says so. */
export interface Pair {
  charge: StoredEvent<PaymentMade>;
  invoice: StoredEvent<PaymentMade>;
}

/**
 * Pairs invoices that name no charge with charges that name no invoice: of the same customer, amount, currency and
 * hour, the closest first. So the same money is never counted twice while the report that links the two is missing.
 * Once it is reported, the link counts instead. `eventsOf` returns all that is known of the same payment.
 */
export function pairUnlinked(groups: Iterable<readonly StoredEvent[]>): Pair[] {
  const charges: StoredEvent<PaymentMade>[] = [];
  const invoices = new Map<string, StoredEvent<PaymentMade>[]>();
  for (const events of groups) {
    const invoice = unlinkedInvoice(events);
    if (invoice === null) {
      if (!isReported(events)) charges.push(...chargePayments(events.filter(isCharge)));
      continue;
    }
    const key = moneyKey(invoice);
    const known = key === null ? undefined : invoices.get(key);
    if (known !== undefined) known.push(invoice);
    else if (key !== null) invoices.set(key, [invoice]);
  }
  return invoices.size === 0 ? [] : closest(charges, invoices);
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

/** Null for a guest: without a customer id, equal amounts prove nothing. */
function moneyKey({ processor, event }: StoredEvent<PaymentMade>): string | null {
  const { customer_id, currency, paid_minor } = event;
  return customer_id === null ? null : JSON.stringify([processor, customer_id, currency, String(paid_minor)]);
}

function closest(
  charges: readonly StoredEvent<PaymentMade>[],
  invoices: ReadonlyMap<string, StoredEvent<PaymentMade>[]>,
): Pair[] {
  const candidates: (Pair & { apart: number })[] = [];
  const by_key = new Map<string, StoredEvent<PaymentMade>[]>();
  for (const charge of charges) {
    const key = moneyKey(charge);
    if (key !== null && invoices.has(key)) by_key.set(key, [...(by_key.get(key) ?? []), charge]);
  }
  for (const [key, same] of by_key) {
    const sorted = (invoices.get(key) ?? []).toSorted(byTime);
    let from = 0;
    for (const charge of same.toSorted(byTime)) {
      for (; timeOf(sorted[from]) < timeOf(charge) - WINDOW_MILLISECONDS; from++);
      for (let index = from; timeOf(sorted[index]) <= timeOf(charge) + WINDOW_MILLISECONDS; index++) {
        const invoice = sorted[index];
        if (invoice === undefined) break;
        candidates.push({ charge, invoice, apart: Math.abs(timeOf(invoice) - timeOf(charge)) });
      }
    }
  }
  const taken = new Set<StoredEvent>();
  candidates.sort((a, b) => a.apart - b.apart || byTime(a.charge, b.charge) || byTime(a.invoice, b.invoice));
  return candidates.filter(({ charge, invoice }) => {
    if (taken.has(charge) || taken.has(invoice)) return false;
    taken.add(charge).add(invoice);
    return true;
  });
}

/** Of none: never. */
function timeOf(payment: StoredEvent<PaymentMade> | undefined): number {
  return payment === undefined ? Number.POSITIVE_INFINITY : payment.event.paid_at.getTime();
}

function byTime(a: StoredEvent<PaymentMade>, b: StoredEvent<PaymentMade>): number {
  return timeOf(a) - timeOf(b) || (a.event.subject < b.event.subject ? -1 : 1);
}
