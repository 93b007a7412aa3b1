import type { TimelineEntry } from "@findersfee/contract/customers/referral-rows";
import type { PaymentFact } from "../attribution/facts/payment-fact.ts";
import type { StoredFact } from "../attribution/facts/stored-fact.ts";
import { toMajor } from "../money.ts";

export const NO_ENTRY: Omit<TimelineEntry, "kind" | "occurred_at"> = {
  received_at: null,
  processor: null,
  message_id: null,
  subject: null,
  amount: null,
  status: null,
  click: null,
  affiliate: null,
  override: null,
  decision: null,
  lead: null,
  ledger: [],
};

/** A reported fact in the timeline, without its effects. */
export function factEntry({ processor, message_id, fact }: StoredFact): TimelineEntry {
  return {
    ...NO_ENTRY,
    kind: fact.kind,
    occurred_at: occurredAt(fact).toISOString(),
    processor,
    message_id,
    subject: fact.subject,
    amount: amountOf(fact),
    status: fact.kind === "subscription" ? fact.status : null,
  };
}

/** When it happened, which may be before its latest state. */
function occurredAt(fact: PaymentFact): Date {
  switch (fact.kind) {
    case "payment":
    case "charge":
      return fact.paid_at;
    case "refund":
    case "dispute":
      return fact.since;
    case "checkout":
      return fact.opened_at;
    case "customer":
      return fact.created_at;
    default:
      return fact.at;
  }
}

function amountOf(fact: PaymentFact): TimelineEntry["amount"] {
  switch (fact.kind) {
    case "payment":
      return { amount: toMajor(fact.revenue_minor, fact.currency), currency: fact.currency };
    case "charge":
      return { amount: toMajor(fact.paid_minor, fact.currency), currency: fact.currency };
    case "refund":
    case "dispute":
    case "refunded_total":
      if (fact.currency === undefined) return null;
      return { amount: -toMajor(fact.amount_minor, fact.currency), currency: fact.currency };
    default:
      return null;
  }
}
