import { findReferralKeys } from "@findersfee/database/attribution/customers";
import { findCustomerKeys, insertCustomerKeys, mergeCustomers } from "@findersfee/database/attribution/facts";
import { findMetadataKeys } from "@findersfee/database/campaigns/rule-sets";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { OrganizationContext } from "../context.ts";
import { type Assignment, assignCustomers } from "./facts/assign-customers.ts";
import { customerKey, customerKeys, emailKey, emailsOf } from "./facts/fact-names.ts";
import { mergeStates, withMoments } from "./facts/merge.ts";
import type { PaymentFact } from "./facts/payment-fact.ts";
import { EMPTY_SNAPSHOT, type FactSource, type StoredFact, writeStoredFact } from "./facts/stored-fact.ts";
import { loadFacts } from "./write/load-facts.ts";
import { type AttributionResult, persistOutcomes } from "./write/persist.ts";

/** Maximum messages of a customer that the ledger names when several are processed together. */
const MAX_CAUSES = 5;

/** A payment fact with the message that reported it. */
export interface IncomingFact {
  processor: FactSource;
  message_id: string;
  fact: PaymentFact;
  /** Who reported it, for the ledger; omitted: the processor's message. */
  cause?: string;
}

/**
 * Records the facts that a processor reported, and updates the referrals, commissions and decisions of their customers
 * in the same transaction. Recording them again, or in another order, gives the same result.
 *
 * The caller holds the organization's lock. Without it, two concurrent calls for the same customer would each miss the
 * other's facts.
 */
export async function recordFacts(
  sql: Transaction,
  organization: OrganizationContext,
  incoming: readonly IncomingFact[],
): Promise<AttributionResult> {
  if (incoming.length === 0) return { lookups: 0 };
  const reported = await withNamedMetadata(sql, organization.id, incoming);
  const { customerOf, new_keys, merged } = await assign(sql, organization.id, reported);
  if (merged.size > 0) await mergeCustomers(sql, organization.id, merged);
  if (new_keys.size > 0) await insertCustomerKeys(sql, organization.id, new_keys);
  const facts = await loadFacts(sql, organization.id, [...new Set(reported.map(customerOf))]);
  const new_facts = new Set<StoredFact>();
  for (const item of reported) {
    for (const state of mergeInto(item, facts.get(customerOf(item)) ?? [])) new_facts.add(state);
  }
  const causes = new Map<string, Set<string>>();
  for (const item of reported) {
    const customer_id = customerOf(item);
    causes.set(
      customer_id,
      (causes.get(customer_id) ?? new Set()).add(item.cause ?? `${item.processor} ${item.message_id}`),
    );
  }
  const causeOf = (customer_id: string) => [...(causes.get(customer_id) ?? [])].slice(-MAX_CAUSES).join(", ");
  return await persistOutcomes(sql, organization, { facts, new_facts, causeOf });
}

/** Without the metadata that no rule of the organization names, so that it is not stored. */
async function withNamedMetadata(
  sql: Transaction,
  organizationId: string,
  reported: readonly IncomingFact[],
): Promise<readonly IncomingFact[]> {
  if (!reported.some(({ fact }) => "metadata" in fact)) return reported;
  const keys = new Set(await findMetadataKeys(sql, organizationId));
  return reported.map((item) => {
    if (!("metadata" in item.fact)) return item;
    const { metadata = {}, ...fact } = item.fact;
    const named = Object.entries(metadata).filter(([key]) => keys.has(key));
    return {
      ...item,
      fact: named.length === 0 ? fact : { ...fact, metadata: Object.fromEntries(named) },
    };
  });
}

/** Adds a state to its customer's states; returns it if any of it is new. */
function mergeInto(reported: IncomingFact, facts: StoredFact[]): StoredFact[] {
  const { kind, subject } = reported.fact;
  const fact = reported.fact.kind === "customer" ? withMoments(reported.fact) : reported.fact;
  const { processor, message_id } = reported;
  const stored: StoredFact = { processor, message_id, fact, snapshot: EMPTY_SNAPSHOT };
  const index = facts.findIndex((item) => {
    return item.processor === reported.processor && item.fact.kind === kind && item.fact.subject === subject;
  });
  const known = facts[index];
  if (known === undefined) {
    facts.push(stored);
    return [stored];
  }
  const merged = mergeStates(known, stored);
  if (
    merged.message_id === known.message_id &&
    writeStoredFact(merged.fact) === writeStoredFact(known.fact)
  ) {
    return [];
  }
  facts[index] = merged;
  return [merged];
}

/** A manual referral can reveal that an email and a customer id belong to the same customer. */
async function assign(
  sql: Transaction,
  organizationId: string,
  reported: readonly IncomingFact[],
): Promise<Assignment<IncomingFact>> {
  const own = new Map(reported.map((item) => [item, customerKeys(item)]));
  const shown = await findReferralKeys(sql, organizationId, {
    emails: [...new Set(reported.flatMap(emailsOf).map(lowerCase))],
    customer_ids: [
      ...new Set(reported.flatMap(({ fact }) => ("customer_id" in fact && fact.customer_id) || [])),
    ],
  });
  const pairs = shown.map((item) => [emailKey(item.email), customerKey(item.processor_customer_id)] as const);
  const keys = new Map(
    [...own].map(([item, names]) => {
      const also = pairs.filter(([email, customer]) => names.includes(email) || names.includes(customer));
      return [item, [...new Set([...names, ...also.flat()])]];
    }),
  );
  const known = await findCustomerKeys(sql, organizationId, [...new Set([...keys.values()].flat())]);
  return assignCustomers(keys, known);
}
