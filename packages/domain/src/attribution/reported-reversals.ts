import type { Reversal, ReversedBy } from "@findersfee/contract/attribution/reversals";
import type { Connection } from "@findersfee/database/postgres/connect";
import { toMajor } from "../money.ts";
import type { DisputeFact, RefundedTotal, RefundFact } from "./facts/payment-fact.ts";
import { relate } from "./facts/relate.ts";
import type { StoredFact } from "./facts/stored-fact.ts";
import { loadFacts } from "./write/load-facts.ts";

/** A decided payment. */
export interface DecidedPaymentName {
  id: string;
  customer_id: string;
  processor: string;
  payment_id: string;
}

/** A refund or dispute with the message that reported it last. */
export interface ReportedReversal extends Reversal {
  /** As the ledger writes causes: `stripe evt_1`. */
  cause: string;
}

/** The refunds and disputes of some payments by their decisions, each in the order of time. */
export async function findReportedReversals(
  sql: Connection,
  organizationId: string,
  payments: readonly DecidedPaymentName[],
): Promise<Map<string, ReportedReversal[]>> {
  if (payments.length === 0) return new Map();
  const customer_ids = [...new Set(payments.map(({ customer_id }) => customer_id))];
  const facts = await loadFacts(sql, organizationId, customer_ids);
  const related = new Map([...facts].map(([id, of_customer]) => [id, relate(of_customer)]));
  return new Map(
    payments.map(({ id, customer_id, processor, payment_id }) => {
      const relations = related.get(customer_id);
      const payment = relations?.payments.find(
        (stored) => stored.processor === processor && stored.fact.subject === payment_id,
      );
      if (relations === undefined || payment === undefined) return [id, []];
      const { refunds, disputes, totals } = relations.reversalsOf(payment);
      // A sum consists of its refunds.
      const sums = totals.filter(({ subject }) =>
        refunds.every(({ references }) => !references.includes(subject)),
      );
      const parts = new Set<StoredFact["fact"]>([...refunds, ...disputes, ...sums]);
      const found = (facts.get(customer_id) ?? []).flatMap((stored) =>
        parts.has(stored.fact) ? viewReversal(stored, payment.fact.currency) : [],
      );
      return [id, found.sort((a, b) => a.at.localeCompare(b.at))];
    }),
  );
}

function viewReversal(
  { fact, processor, message_id }: StoredFact,
  payment_currency: string,
): ReportedReversal[] {
  if (fact.kind !== "refund" && fact.kind !== "dispute" && fact.kind !== "refunded_total") return [];
  if (fact.amount_minor <= 0n) return [];
  const { currency = payment_currency, amount_minor, subject } = fact;
  const part = {
    kind: fact.kind === "dispute" ? ("dispute" as const) : ("refund" as const),
    subject,
    amount: toMajor(amount_minor, currency),
    currency,
    cause: `${processor} ${message_id}`,
  };
  return [{ ...part, ...timesOf(fact) }];
}

function timesOf(fact: RefundFact | DisputeFact | RefundedTotal): Pick<Reversal, "at" | "until"> {
  if (fact.kind === "refunded_total") return { at: fact.at.toISOString(), until: null };
  return { at: fact.since.toISOString(), until: fact.until?.toISOString() ?? null };
}

/** A part as members see it. */
export function viewPart({ cause: _cause, ...part }: ReportedReversal): Reversal {
  return part;
}

/** Why money is gone, of refunds and disputes; null for none of them. */
export function reversedBy(parts: readonly Pick<Reversal, "kind">[]): ReversedBy {
  const kinds = new Set(parts.map(({ kind }) => kind));
  if (kinds.size > 1) return "refund_and_dispute";
  return [...kinds][0] ?? null;
}

/** The same for the money that is still gone. */
export function goneBy(parts: readonly Reversal[]): ReversedBy {
  return reversedBy(parts.filter(({ until }) => until === null));
}
