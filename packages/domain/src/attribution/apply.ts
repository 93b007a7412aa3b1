import type { Transaction } from "@findersfee/database/connect";
import { findReferralKeys, writeSettlement } from "@findersfee/database/customer-settlement";
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
  type NewPaymentEvent,
  upsertPaymentEvents,
} from "@findersfee/database/payment-events";
import type { OrganizationContext } from "../context.ts";
import { postingsOfChange, postingsOfNew } from "../ledger/postings.ts";
import { lookupText } from "./decide/lookups.ts";
import { reattributeCustomer } from "./decide/reattribute.ts";
import { type Assignment, assignCustomers } from "./facts/assign-customers.ts";
import { customerKey, customerKeys, emailKey, emailsOf } from "./facts/fact-names.ts";
import { mergeStates, withMoments } from "./facts/merge.ts";
import type { PaymentEvent } from "./facts/payment-fact.ts";
import { NOTHING_JUDGED, writeJudged } from "./facts/snapshot.ts";
import { type EventSource, type StoredEvent, writeStoredEvent } from "./facts/stored-fact.ts";
import { customerBefore } from "./write/customer-history.ts";
import { type Loaded, loadCustomers, loadEvents } from "./write/load.ts";
import { OutcomeDiff } from "./write/outcome-diff.ts";
import { noWrites, type PendingWrites } from "./write/pending-writes.ts";

/** Of the messages that were worked off together, as many of a customer's are named in the ledger. */
const MOST_CAUSES = 5;

export interface Settled {
  /** How many lookups payment events wait for that they did not wait for before. */
  lookups: number;
}

/** A payment event with the message that told of it. */
export interface ToldEvent {
  processor: EventSource;
  message_id: string;
  event: PaymentEvent;
}

/**
 * Takes in what a processor told, and makes the referrals, commissions and decisions of its customers what
 * they have to be, with their events, in the transaction. Told again, or in another order, the result is the
 * same.
 *
 * The caller holds the organization's lock: of two that settle the same customer at once each would miss what
 * the other one was told.
 */
export async function applyPaymentEvents(
  sql: Transaction,
  organization: OrganizationContext,
  told: readonly ToldEvent[],
): Promise<Settled> {
  if (told.length === 0) return { lookups: 0 };
  const { customerOf, new_keys, merged } = await assign(sql, organization.id, told);
  if (merged.size > 0) await mergeCustomers(sql, organization.id, merged);
  if (new_keys.size > 0) await insertCustomerKeys(sql, organization.id, new_keys);
  const events = await loadEvents(sql, organization.id, [...new Set(told.map(customerOf))]);
  const new_states = new Set<StoredEvent>();
  for (const one of told) {
    for (const state of takeIn(one, events.get(customerOf(one)) ?? [])) new_states.add(state);
  }
  const causes = new Map<string, Set<string>>();
  for (const one of told) {
    const customer_id = customerOf(one);
    causes.set(customer_id, (causes.get(customer_id) ?? new Set()).add(`${one.processor} ${one.message_id}`));
  }
  const causeOf = (customer_id: string) =>
    [...(causes.get(customer_id) ?? [])].slice(-MOST_CAUSES).join(", ");
  return await settle(sql, organization, { events, new_states, causeOf });
}

/** Puts a state among those of its customer; returns it if anything of it is new. */
function takeIn(told: ToldEvent, events: StoredEvent[]): StoredEvent[] {
  const { kind, subject } = told.event;
  const event = told.event.kind === "customer" ? withMoments(told.event) : told.event;
  const stored: StoredEvent = { ...told, event, judged: NOTHING_JUDGED };
  const index = events.findIndex((one) => {
    return one.processor === told.processor && one.event.kind === kind && one.event.subject === subject;
  });
  const known = events[index];
  if (known === undefined) {
    events.push(stored);
    return [stored];
  }
  const merged = mergeStates(known, stored);
  if (
    merged.message_id === known.message_id &&
    writeStoredEvent(merged.event) === writeStoredEvent(known.event)
  ) {
    return [];
  }
  events[index] = merged;
  return [merged];
}

/** Works out customers' outcomes again, and writes what differs from what is stored. `cause` is for the ledger. */
export async function settleCustomers(
  sql: Transaction,
  organization: OrganizationContext,
  { customer_ids, cause }: { customer_ids: string[]; cause: string },
): Promise<Settled> {
  const events = await loadEvents(sql, organization.id, customer_ids);
  return await settle(sql, organization, { events, new_states: new Set(), causeOf: () => cause });
}

async function settle(
  sql: Transaction,
  organization: OrganizationContext,
  {
    events,
    new_states,
    causeOf,
  }: {
    events: ReadonlyMap<string, StoredEvent[]>;
    new_states: ReadonlySet<StoredEvent>;
    causeOf: (customer_id: string) => string;
  },
): Promise<Settled> {
  const loaded = await loadCustomers(sql, organization, events);
  const writes = writesFor(loaded, { now: new Date(), causeOf });
  const written = new Set([...new_states, ...writes.judged.keys(), ...writes.lookups.keys()]);
  const rows = [...events].flatMap(([customer_id, all]) =>
    all.filter((stored) => written.has(stored)).map((stored) => rowOf(stored, customer_id, writes)),
  );
  if (rows.length > 0) await upsertPaymentEvents(sql, organization.id, rows);
  const postings = {
    new_commissions: writes.new_commissions.flatMap(postingsOfNew),
    changed_commissions: writes.changed_commissions.flatMap(postingsOfChange),
  };
  await writeSettlement(sql, organization.id, { settlement: writes, postings });
  if (writes.decisions.length > 0) await upsertPaymentDecisions(sql, organization.id, writes.decisions);
  return await writeLookups(sql, organization.id, writes.lookups);
}

/** Returns how many lookups are wanted from now on. */
async function writeLookups(
  sql: Transaction,
  organizationId: string,
  lookups: PendingWrites["lookups"],
): Promise<Settled> {
  const wanted: WantedLookup[] = [];
  const gone: LookupKey[] = [];
  for (const [{ message_id, event }, lookup] of lookups) {
    const { kind, subject } = event;
    if (lookup === null) gone.push({ kind, subject });
    else wanted.push({ kind, subject, message_id, ...lookup });
  }
  if (gone.length > 0) await deleteLookups(sql, organizationId, gone);
  if (wanted.length > 0) await insertLookups(sql, organizationId, wanted);
  return { lookups: wanted.length };
}

function rowOf(
  stored: StoredEvent,
  customer_id: string,
  { judged, lookups }: PendingWrites,
): NewPaymentEvent {
  const { processor, message_id, event } = stored;
  const now = judged.get(stored) ?? stored.judged;
  const lookup = lookups.get(stored);
  return {
    processor,
    kind: event.kind,
    subject: event.subject,
    customer_id,
    state_at: event.at,
    rank: event.rank,
    message_id,
    data: writeStoredEvent(event),
    judged: now === NOTHING_JUDGED ? null : writeJudged(now),
    lookup: lookup === undefined ? (stored.lookup ?? null) : lookup && lookupText(lookup),
  };
}

function writesFor(
  loaded: Loaded,
  { now, causeOf }: { now: Date; causeOf: (customer_id: string) => string },
) {
  const writes = noWrites();
  for (const [customer_id, events] of loaded.events) {
    const before = customerBefore(loaded, events);
    const outcome = reattributeCustomer(before.history);
    const { affiliates } = loaded;
    const cause = causeOf(customer_id);
    new OutcomeDiff(writes, { before, affiliates, customer_id, cause, now }).add(outcome);
  }
  return writes;
}

/** A referral that was made by hand can show that an email and a customer id are of the same customer. */
async function assign(
  sql: Transaction,
  organizationId: string,
  told: readonly ToldEvent[],
): Promise<Assignment<ToldEvent>> {
  const own = new Map(told.map((one) => [one, customerKeys(one)]));
  const shown = await findReferralKeys(sql, organizationId, {
    emails: [...new Set(told.flatMap(emailsOf).map(lowerCase))],
    customer_ids: [
      ...new Set(told.flatMap(({ event }) => ("customer_id" in event && event.customer_id) || [])),
    ],
  });
  const pairs = shown.map((one) => [emailKey(one.email), customerKey(one.processor_customer_id)] as const);
  const keys = new Map(
    [...own].map(([one, names]) => {
      const also = pairs.filter(([email, customer]) => names.includes(email) || names.includes(customer));
      return [one, [...new Set([...names, ...also.flat()])]];
    }),
  );
  const known = await findCustomerKeys(sql, organizationId, [...new Set([...keys.values()].flat())]);
  return assignCustomers(keys, known);
}
