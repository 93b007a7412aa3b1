import type { Transaction } from "@findersfee/database/connect";
import { findReferralKeys, writeAttributionChanges } from "@findersfee/database/customer-attribution";
import {
  deleteLookups,
  insertLookups,
  type LookupKey,
  type WantedLookup,
} from "@findersfee/database/lookups";
import { lowerCase } from "@findersfee/database/lower-case";
import { upsertPaymentDecisions } from "@findersfee/database/payment-decisions";
import {
  findCustomerKeys,
  insertCustomerKeys,
  mergeCustomers,
  type NewPaymentFact,
  upsertPaymentFacts,
} from "@findersfee/database/payment-facts";
import type { OrganizationContext } from "../context.ts";
import { postingsOfChange, postingsOfNew } from "../ledger/postings.ts";
import { lookupText } from "./decide/lookups.ts";
import { reattributeCustomer } from "./decide/reattribute.ts";
import { type Assignment, assignCustomers } from "./facts/assign-customers.ts";
import { customerKey, customerKeys, emailKey, emailsOf } from "./facts/fact-names.ts";
import { mergeStates, withMoments } from "./facts/merge.ts";
import type { PaymentFact } from "./facts/payment-fact.ts";
import { EMPTY_SNAPSHOT, writeSnapshot } from "./facts/snapshot.ts";
import { type FactSource, type StoredFact, writeStoredFact } from "./facts/stored-fact.ts";
import { customerBefore } from "./write/customer-history.ts";
import { type Loaded, loadCustomers, loadFacts } from "./write/load.ts";
import { OutcomeDiff } from "./write/outcome-diff.ts";
import { noWrites, type PendingWrites } from "./write/pending-writes.ts";

/** Maximum messages of a customer that the ledger names when several are processed together. */
const MOST_CAUSES = 5;

export interface AttributionResult {
  /** The number of new lookups that payment facts wait for. */
  lookups: number;
}

/** A payment fact with the message that reported it. */
export interface IncomingFact {
  processor: FactSource;
  message_id: string;
  fact: PaymentFact;
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
  reported: readonly IncomingFact[],
): Promise<AttributionResult> {
  if (reported.length === 0) return { lookups: 0 };
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
      (causes.get(customer_id) ?? new Set()).add(`${item.processor} ${item.message_id}`),
    );
  }
  const causeOf = (customer_id: string) =>
    [...(causes.get(customer_id) ?? [])].slice(-MOST_CAUSES).join(", ");
  return await settle(sql, organization, { facts, new_facts, causeOf });
}

/** Adds a state to those of its customer; returns it if any of it is new. */
function mergeInto(reported: IncomingFact, facts: StoredFact[]): StoredFact[] {
  const { kind, subject } = reported.fact;
  const fact = reported.fact.kind === "customer" ? withMoments(reported.fact) : reported.fact;
  const stored: StoredFact = { ...reported, fact, snapshot: EMPTY_SNAPSHOT };
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

/** Attributes customers again, and writes the differences from the stored outcomes. `cause` is for the ledger. */
export async function reattributeCustomers(
  sql: Transaction,
  organization: OrganizationContext,
  { customer_ids, cause }: { customer_ids: string[]; cause: string },
): Promise<AttributionResult> {
  const facts = await loadFacts(sql, organization.id, customer_ids);
  return await settle(sql, organization, { facts, new_facts: new Set(), causeOf: () => cause });
}

async function settle(
  sql: Transaction,
  organization: OrganizationContext,
  {
    facts,
    new_facts,
    causeOf,
  }: {
    facts: ReadonlyMap<string, StoredFact[]>;
    new_facts: ReadonlySet<StoredFact>;
    causeOf: (customer_id: string) => string;
  },
): Promise<AttributionResult> {
  const loaded = await loadCustomers(sql, organization, facts);
  const writes = writesFor(loaded, { now: new Date(), causeOf });
  const written = new Set([...new_facts, ...writes.snapshot.keys(), ...writes.lookups.keys()]);
  const rows = [...facts].flatMap(([customer_id, all]) =>
    all.filter((stored) => written.has(stored)).map((stored) => rowOf(stored, customer_id, writes)),
  );
  if (rows.length > 0) await upsertPaymentFacts(sql, organization.id, rows);
  const postings = {
    new_commissions: writes.new_commissions.flatMap(postingsOfNew),
    changed_commissions: writes.changed_commissions.flatMap(postingsOfChange),
  };
  await writeAttributionChanges(sql, organization.id, { changes: writes, postings });
  if (writes.decisions.length > 0) await upsertPaymentDecisions(sql, organization.id, writes.decisions);
  return await writeLookups(sql, organization.id, writes.lookups);
}

/** Returns the number of new lookups. */
async function writeLookups(
  sql: Transaction,
  organizationId: string,
  lookups: PendingWrites["lookups"],
): Promise<AttributionResult> {
  const wanted: WantedLookup[] = [];
  const gone: LookupKey[] = [];
  for (const [{ message_id, fact }, lookup] of lookups) {
    const { kind, subject } = fact;
    if (lookup === null) gone.push({ kind, subject });
    else wanted.push({ kind, subject, message_id, ...lookup });
  }
  if (gone.length > 0) await deleteLookups(sql, organizationId, gone);
  if (wanted.length > 0) await insertLookups(sql, organizationId, wanted);
  return { lookups: wanted.length };
}

function rowOf(
  stored: StoredFact,
  customer_id: string,
  { snapshot, lookups }: PendingWrites,
): NewPaymentFact {
  const { processor, message_id, fact } = stored;
  const now = snapshot.get(stored) ?? stored.snapshot;
  const lookup = lookups.get(stored);
  return {
    processor,
    kind: fact.kind,
    subject: fact.subject,
    customer_id,
    state_at: fact.at,
    rank: fact.rank,
    message_id,
    data: writeStoredFact(fact),
    snapshot: now === EMPTY_SNAPSHOT ? null : writeSnapshot(now),
    lookup: lookup === undefined ? (stored.lookup ?? null) : lookup && lookupText(lookup),
  };
}

function writesFor(
  loaded: Loaded,
  { now, causeOf }: { now: Date; causeOf: (customer_id: string) => string },
) {
  const writes = noWrites();
  for (const [customer_id, facts] of loaded.facts) {
    const before = customerBefore(loaded, facts);
    const outcome = reattributeCustomer(before.history);
    const { affiliates } = loaded;
    const cause = causeOf(customer_id);
    new OutcomeDiff(writes, { before, affiliates, customer_id, cause, now }).add(outcome);
  }
  return writes;
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
