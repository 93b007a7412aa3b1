import type { InboundWebhookDetail } from "@findersfee/contract/processors/processors";
import { type DecisionSummaryRow, listDecisionSummaries } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { ProcessorMessageRow } from "@findersfee/database/processors/messages";
import { customerKeys, paymentNames } from "../../attribution/facts/fact-names.ts";
import type { PaymentFact } from "../../attribution/facts/payment-fact.ts";
import type { StoredFact } from "../../attribution/facts/stored-fact.ts";
import { loadFacts } from "../../attribution/write/load-facts.ts";
import { toMajor } from "../../money.ts";
import { parseMessage } from "../parse-message.ts";

type LedTo = InboundWebhookDetail["decisions"][number];

const MAX_DECISIONS = 20;

/** Facts that concern all payments of a customer. */
const OF_CUSTOMERS: readonly PaymentFact["kind"][] = ["checkout", "customer", "signup", "subscription"];

/**
 * Returns the decisions about the payments that a message reports. They are found by the names in its body, as processing
 * finds its customer, so that no column has to name the message of each decision.
 */
export async function findMessageDecisions(
  sql: Connection,
  organizationId: string,
  message: ProcessorMessageRow,
): Promise<LedTo[]> {
  const parsed = parseMessage(message);
  if (message.state !== "done" || parsed.outcome !== "facts") return [];
  const reported = parsed.facts.map((fact) => ({ processor: message.processor, fact }));
  const keys = [...new Set(reported.flatMap(customerKeys))];
  const customer_ids = [...new Set((await findCustomerKeys(sql, organizationId, keys)).values())];
  if (customer_ids.length === 0) return [];
  const is_of_customer = parsed.facts.some(({ kind }) => OF_CUSTOMERS.includes(kind));
  const facts = is_of_customer ? new Map() : await loadFacts(sql, organizationId, customer_ids);
  const rows = await listDecisionSummaries(sql, organizationId, {
    customer_ids,
    payments: is_of_customer
      ? null
      : relatedNames(reported.flatMap(paymentNames), [...facts.values()].flat()),
    limit: MAX_DECISIONS,
  });
  return rows.map(viewDecision);
}

/** Names of a payment, with the other names that its reports give it: a refund may name only its charge. */
function relatedNames(names: readonly string[], facts: readonly StoredFact[]): string[] {
  const related = new Set(names);
  for (let size = 0; size < related.size; ) {
    size = related.size;
    for (const own of facts.map(paymentNames)) {
      if (own.some((name) => related.has(name))) for (const name of own) related.add(name);
    }
  }
  return [...related];
}

function viewDecision(row: DecisionSummaryRow): LedTo {
  const { id, payment_id, outcome, paid_at, currency, revenue_minor, commission_minor, commission_id } = row;
  return {
    id,
    processor_payment_id: payment_id,
    outcome,
    paid_at: paid_at.toISOString(),
    currency,
    revenue_amount: toMajor(revenue_minor, currency),
    commission_amount: toMajor(commission_minor, currency),
    commission_id,
  };
}
