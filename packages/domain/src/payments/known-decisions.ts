import type { StoredDecision } from "@findersfee/database/payment-decisions";
import type { PaymentMade } from "../processors/payment-event.ts";
import { type EventReference, paymentReference, referenceOf } from "./outcome.ts";
import type { Relations } from "./related.ts";
import type { StoredEvent } from "./stored-event.ts";

/** The decisions that were stored, as the payments of now have them. */
export interface KnownDecisions {
  /** By payment. */
  decisions: Map<EventReference, StoredDecision>;
  /** Those of charges that turned out to be the payment of something else. */
  replaced: StoredDecision[];
}

/**
 * Hands over decisions. A charge that was decided as a payment of its own may turn out to be an invoice's: the invoice's
 * payment takes over the decision with its commission, unless it has one already. So one payment earns once and
 * announces one commission, in any order of the reports.
 */
export function handOver(
  stored: ReadonlyMap<EventReference, StoredDecision>,
  payments: readonly StoredEvent<PaymentMade>[],
  { nameOfPayment }: Relations,
): KnownDecisions {
  const decisions = new Map<EventReference, StoredDecision>();
  const undecided = new Map<string, EventReference[]>();
  const current = new Set(payments.map(referenceOf));
  const orphans = [...stored].filter(([reference]) => !current.has(reference));
  for (const payment of payments) {
    const reference = referenceOf(payment);
    const decision = stored.get(reference);
    if (decision !== undefined) decisions.set(reference, decision);
    else if (orphans.length > 0) {
      const name = nameOfPayment(payment.processor, payment.event.subject);
      undecided.set(name, [...(undecided.get(name) ?? []), reference]);
    }
  }
  const replaced: StoredDecision[] = [];
  for (const [, decision] of orphans.sort(([, a], [, b]) => byAge(a, b))) {
    const heir = undecided.get(nameOfPayment(decision.processor, decision.payment_id))?.shift();
    if (heir === undefined) replaced.push(decision);
    else decisions.set(heir, decision);
  }
  return { decisions, replaced };
}

/** Decisions that count before replaced ones, then by age. */
function byAge(a: StoredDecision, b: StoredDecision): number {
  return Number(a.replaced_at !== null) - Number(b.replaced_at !== null) || (a.id < b.id ? -1 : 1);
}

/** The payments that an event may have been decided as. */
export function decidedAs(stored: StoredEvent): EventReference {
  const { processor, event } = stored;
  return event.kind === "charge" ? paymentReference(processor, event.payment_id) : referenceOf(stored);
}
