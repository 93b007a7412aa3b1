import {
  upsertCorrection,
  writeAttributionEvents,
  writeReferralChanges,
} from "@findersfee/database/attribution/customers";
import { upsertPaymentDecisions } from "@findersfee/database/attribution/decisions";
import { type NewPaymentFact, upsertPaymentFacts } from "@findersfee/database/attribution/facts";
import {
  deletePassedAffiliates,
  insertPassedAffiliates,
} from "@findersfee/database/attribution/passed-affiliates";
import { insertPaymentNames, movePaymentNames } from "@findersfee/database/commissions/payment-names";
import type { Transaction } from "@findersfee/database/postgres/connect";
import {
  deleteLookups,
  insertLookups,
  type LookupKey,
  type WantedLookup,
} from "@findersfee/database/processors/lookups";
import type { OrganizationContext } from "../../context.ts";
import { findReviewer, type Reviewer } from "../../ledger/review.ts";
import { writeCommissions } from "../../ledger/write-commissions.ts";
import { lookupText } from "../decide/lookups.ts";
import { reattributeCustomer } from "../decide/reattribute.ts";
import { EMPTY_SNAPSHOT, type StoredFact, writeSnapshot, writeStoredFact } from "../facts/stored-fact.ts";
import { customerBefore } from "./customer-history.ts";
import { decideLeads, recordLeads } from "./leads.ts";
import { loadCustomers } from "./load.ts";
import { loadFacts } from "./load-facts.ts";
import { findReferralsCustomers } from "./load-manual.ts";
import { OutcomeDiff } from "./outcome-diff.ts";
import { addWrites, needLocks, noWrites, type PendingWrites } from "./pending-writes.ts";
import { findPassing } from "./review-diff.ts";
import type { TouchedReferral } from "./touched-referral.ts";

export interface AttributionResult {
  /** The number of new lookups that payment facts wait for. */
  lookups: number;
}

interface Customers {
  /** The facts by customer. */
  facts: ReadonlyMap<string, StoredFact[]>;
  /** The source of changes, for the ledger. */
  causeOf: (customer_id: string) => string;
  /** Referrals that were just created, with their leads. */
  created?: readonly TouchedReferral[];
  /** Whether these are attributed after others, because of them. */
  is_second?: boolean;
}

/**
 * Attributes customers again and writes the differences from the stored outcomes, and the new facts. The caller holds
 * the organization's lock. If a payment has a manual commission of another customer's referral, what remains of it counts for that
 * customer's limit, who is therefore attributed after it; so is the customer whose payment had the commission before.
 */
export async function persistOutcomes(
  sql: Transaction,
  organization: OrganizationContext,
  customers: Customers & { new_facts: ReadonlySet<StoredFact> },
): Promise<AttributionResult> {
  const { lookups, others, former } = await persistOnce(sql, organization, customers);
  if (others.size + former.size === 0) return { lookups };
  const by_referral = await findReferralsCustomers(sql, organization.id, [...others.keys()]);
  const customer_ids = [...new Set([...by_referral, ...former.keys()])];
  const facts = await loadFacts(sql, organization.id, customer_ids);
  const cause = [...new Set([...others.values(), ...former.values()].map(customers.causeOf))].join(", ");
  const causeOf = (id: string) => (customers.facts.has(id) ? customers.causeOf(id) : cause);
  const second = await persistOnce(sql, organization, {
    facts,
    new_facts: new Set(),
    causeOf,
    is_second: true,
  });
  return { lookups: lookups + second.lookups };
}

interface Persisted extends AttributionResult {
  /** Referrals of other customers that have manual commissions for these customers' payments, with one of those customers. */
  others: ReadonlyMap<string, string>;
  /** Other customers whose payments had manual commissions that these customers' payments have now, also with one. */
  former: ReadonlyMap<string, string>;
}

async function persistOnce(
  sql: Transaction,
  organization: OrganizationContext,
  { new_facts, ...customers }: Customers & { new_facts: ReadonlySet<StoredFact> },
): Promise<Persisted> {
  const { writes, isRecruit, others, former } = await findWrites(sql, organization, customers);
  const written = new Set([...new_facts, ...writes.snapshot.keys(), ...writes.lookups.keys()]);
  const rows = [...customers.facts].flatMap(([customer_id, all]) =>
    all.filter((stored) => written.has(stored)).map((stored) => rowOf(stored, customer_id, writes)),
  );
  if (rows.length > 0) await upsertPaymentFacts(sql, organization.id, rows);
  await writeReferralChanges(sql, organization.id, writes);
  const commissions = {
    changed: writes.changed_commissions,
    added: writes.new_commissions,
    reviews: writes.reviews,
  };
  await writeCommissions(sql, organization.id, commissions, isRecruit);
  await writeAttributionEvents(sql, organization.id, writes.events);
  await movePaymentNames(sql, organization.id, writes.names.moved);
  await insertPaymentNames(sql, organization.id, writes.names.added);
  for (const correction of writes.corrections) await upsertCorrection(sql, organization.id, correction);
  if (writes.decisions.length > 0) await upsertPaymentDecisions(sql, organization.id, writes.decisions);
  const { removed, added } = writes.passed;
  if (removed.length > 0) await deletePassedAffiliates(sql, organization.id, removed);
  if (added.length > 0) await insertPassedAffiliates(sql, organization.id, added);
  const touched = touchedOf([writes], customers.created);
  if (touched.length > 0) await recordLeads(sql, organization, touched);
  return { lookups: await writeLookups(sql, organization.id, writes.lookups), others, former };
}

/**
 * Most payments add rows and change none, so customers are attributed without locks first. Those with changes are
 * attributed again with their referrals and commissions locked.
 */
async function findWrites(
  sql: Transaction,
  organization: OrganizationContext,
  { facts, causeOf, created = [], is_second = false }: Customers,
): Promise<
  { writes: PendingWrites; isRecruit: (affiliate_id: string) => boolean } & Pick<
    Persisted,
    "others" | "former"
  >
> {
  const now = new Date();
  const writes = noWrites();
  const others = new Map<string, string>();
  const former = new Map<string, string>();
  const recruits = new Set<string>();
  const attribute = async (customers: ReadonlyMap<string, StoredFact[]>, lock: boolean) => {
    const again = new Map<string, StoredFact[]>();
    const loaded = await loadCustomers(sql, organization, customers, { lock, known_facts: facts });
    const { affiliates } = loaded;
    for (const { id, recruited_by } of affiliates.values()) if (recruited_by !== null) recruits.add(id);
    const reviewOf = await findReviewer(sql, organization, affiliates.values());
    const befores = [...customers].map(([customer_id, own_facts]) => {
      const before = customerBefore(loaded, own_facts);
      for (const id of before.referrals_of_others) others.set(id, customer_id);
      for (const id of before.former_customers) former.set(id, customer_id);
      return { customer_id, own_facts, before };
    });
    // Otherwise both would change the commission.
    const decided = befores.filter(({ customer_id }) => is_second || !former.has(customer_id));
    const diff = (reviewer: Reviewer) =>
      decided.map(({ customer_id, own_facts, before }) => {
        const own = noWrites();
        const cause = causeOf(customer_id);
        const of = { before, affiliates, reviewOf: reviewer, customer_id, cause, now };
        new OutcomeDiff(own, of).add(reattributeCustomer(before.history));
        return { customer_id, own_facts, own };
      });
    let made = diff(reviewOf);
    // The others are attributed again.
    const final = made.flatMap(({ own }) => (lock || !needLocks(own) ? own : []));
    const leads = () => decideLeads(sql, organization, touchedOf(final, created));
    // Most commissions need no review.
    const passing = final.some(hasReviews) ? await findPassing(sql, organization.id, final, leads) : [];
    if (passing.length > 0) {
      made = diff(await findReviewer(sql, organization, affiliates.values(), passing));
    }
    for (const { customer_id, own_facts, own } of made) {
      if (!lock && needLocks(own)) again.set(customer_id, own_facts);
      else addWrites(writes, own);
    }
    return again;
  };
  const contended = await attribute(facts, false);
  if (contended.size > 0) await attribute(contended, true);
  return { writes, isRecruit: (affiliate_id) => recruits.has(affiliate_id), others, former };
}

function hasReviews({ reviews, new_commissions }: PendingWrites): boolean {
  return reviews.length > 0 || new_commissions.some(({ review }) => review !== null);
}

/**
 * The referrals whose leads may change, each once: several customers may touch one that has names of each, and those that were just
 * created bring leads.
 */
function touchedOf(
  writes: readonly Pick<PendingWrites, "touched">[],
  created: readonly TouchedReferral[] = [],
): TouchedReferral[] {
  const merged = new Map<string, TouchedReferral>();
  for (const one of [...created, ...writes.flatMap(({ touched }) => touched)]) {
    const { is_new, new_leads } = merged.get(one.referral.id) ?? { is_new: true, new_leads: [] };
    const further = one.new_leads.filter(({ kind }) => new_leads.every((known) => known.kind !== kind));
    const leads = [...new_leads, ...further];
    merged.set(one.referral.id, { ...one, is_new: is_new && one.is_new, new_leads: leads });
  }
  return [...merged.values()];
}

/** Returns the number of new lookups. */
async function writeLookups(
  sql: Transaction,
  organizationId: string,
  lookups: PendingWrites["lookups"],
): Promise<number> {
  const wanted: WantedLookup[] = [];
  const gone: LookupKey[] = [];
  for (const [{ message_id, fact }, lookup] of lookups) {
    const { kind, subject } = fact;
    if (lookup === null) gone.push({ kind, subject });
    else wanted.push({ kind, subject, message_id, ...lookup });
  }
  if (gone.length > 0) await deleteLookups(sql, organizationId, gone);
  if (wanted.length > 0) await insertLookups(sql, organizationId, wanted);
  return wanted.length;
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
