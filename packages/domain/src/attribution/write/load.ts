import { type ProcessorName, processorNames } from "@findersfee/contract/processors";
import { findAffiliates } from "@findersfee/database/affiliates";
import type { Connection } from "@findersfee/database/connect";
import {
  type CorrectionRow,
  findCorrections,
  lockCustomersCommissions,
  lockCustomersReferrals,
  type SettledCommissionRow,
  type SettledReferralRow,
} from "@findersfee/database/customer-settlement";
import { lowerCase } from "@findersfee/database/lower-case";
import { listCustomersDecisions, type StoredDecision } from "@findersfee/database/payment-decisions";
import { listPaymentEvents, type PaymentEventRow } from "@findersfee/database/payment-events";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { OrganizationContext } from "../../context.ts";
import { decidedAs } from "../decide/known-decisions.ts";
import { customerKey, emailKey, emailsOf } from "../facts/fact-names.ts";
import { groupBy } from "../facts/group-by.ts";
import type { CandidatesOf } from "../facts/named-candidates.ts";
import { type EventReference, referenceOf } from "../facts/references.ts";
import { readJudged } from "../facts/snapshot.ts";
import { type EventSource, eventSources, readStoredEvent, type StoredEvent } from "../facts/stored-fact.ts";
import { findCandidates } from "./candidates.ts";

/** All that bears upon some customers, as it is stored, and locked until the transaction ends. */
export interface Loaded extends CandidatesOf {
  organization: OrganizationContext;
  /** By customer. */
  events: ReadonlyMap<string, StoredEvent[]>;
  affiliates: ReadonlyMap<string, AffiliateRow>;
  /** By all that a referral is found by; see `referralNames`. */
  referrals: ReadonlyMap<string, SettledReferralRow>;
  /** By what they were made for: a payment's, with what was added to it since, under its commission's id. */
  commissions: ReadonlyMap<string, SettledCommissionRow[]>;
  /** Those that no payment of a processor made, by referral. */
  by_hand: ReadonlyMap<string, SettledCommissionRow[]>;
  /** Those that payments of the loaded customers made. */
  of_payments: ReadonlySet<string>;
  /** Originals by the payment that they name. */
  by_payment: ReadonlyMap<string, SettledCommissionRow[]>;
  corrections: ReadonlyMap<string, CorrectionRow>;
  decisions: ReadonlyMap<EventReference, StoredDecision>;
}

/** What was told of customers before. */
export async function loadEvents(
  sql: Connection,
  organizationId: string,
  customer_ids: string[],
): Promise<Map<string, StoredEvent[]>> {
  const rows = await listPaymentEvents(sql, organizationId, customer_ids);
  const events = new Map(customer_ids.map((id) => [id, [] as StoredEvent[]]));
  for (const row of rows) events.get(row.customer_id)?.push(storedEvent(row));
  return events;
}

/** Loads what else bears upon the customers of these events. */
export async function loadCustomers(
  sql: Connection,
  organization: OrganizationContext,
  events: ReadonlyMap<string, StoredEvent[]>,
  customer_ids: string[] = [...events.keys()],
): Promise<Loaded> {
  const all = [...events.values()].flat();
  const decisions = await listCustomersDecisions(sql, organization.id, customer_ids);
  const referrals = await lockCustomersReferrals(sql, organization.id, {
    ...namesOf(all),
    bound_by: [...new Set(all.flatMap((stored) => [referenceOf(stored), decidedAs(stored)]))],
    ids: decisions.flatMap(({ referral_id }) => referral_id ?? []),
  });
  const commission_ids = decisions.flatMap(({ commission_id }) => commission_id ?? []);
  const commissions = await lockCustomersCommissions(sql, organization.id, {
    referral_ids: referrals.map(({ id }) => id),
    ids: commission_ids,
    payment_ids: [...new Set(all.flatMap(paymentIdsOf))],
  });
  const corrections =
    commissions.length === 0
      ? []
      : await findCorrections(
          sql,
          organization.id,
          commissions.map(({ id }) => id),
        );
  const candidates = await findCandidates(sql, organization.id, all);
  const affiliate_ids = [
    ...referrals.map(({ affiliate_id }) => affiliate_id),
    ...all.flatMap(candidates.candidatesOf).map(({ affiliate_id }) => affiliate_id),
    ...decisions.flatMap(({ affiliate_id }) => affiliate_id ?? []),
    ...commissions.map(({ affiliate_id }) => affiliate_id),
  ];
  const affiliates =
    affiliate_ids.length === 0 ? [] : await findAffiliates(sql, organization.id, [...new Set(affiliate_ids)]);
  const originals = commissions.filter(({ reversal_of }) => reversal_of === null);
  const of_payments = new Set(commission_ids);
  return {
    organization,
    events,
    ...candidates,
    affiliates: new Map(affiliates.map((affiliate) => [affiliate.id, affiliate])),
    referrals: new Map(referrals.flatMap((row) => referralNames(row).map((name) => [name, row] as const))),
    commissions: groupBy(commissions, ({ reversal_of, id }) => reversal_of ?? id),
    of_payments,
    by_hand: groupBy(
      originals.filter(({ id }) => !of_payments.has(id)),
      ({ referral_id }) => referral_id,
    ),
    by_payment: groupBy(originals, ({ processor_payment_id }) => processor_payment_id ?? ""),
    corrections: new Map(corrections.map((correction) => [correction.commission_id, correction])),
    decisions: new Map(decisions.map((row) => [`${row.processor}:payment:${row.payment_id}` as const, row])),
  };
}

/** By what a referral is found: its id, what made it, and while it stands its email and customer id. */
function referralNames(row: SettledReferralRow): string[] {
  const { id, email, processor_customer_id, bound_by, superseded_at } = row;
  const names = [id];
  if (superseded_at === null) {
    names.push(emailKey(email));
    if (processor_customer_id !== null) names.push(customerKey(processor_customer_id));
  }
  if (bound_by !== null) names.push(`bound:${bound_by}`);
  return names;
}

/** By what a payment may be named where its commission is made by hand. */
function paymentIdsOf({ event }: StoredEvent): string[] {
  switch (event.kind) {
    case "payment":
    case "link":
    case "charge":
      return [event.subject, ...event.references];
    default:
      return [];
  }
}

function storedEvent({ processor, message_id, data, judged, lookup }: PaymentEventRow): StoredEvent {
  return {
    processor: readSource(processor),
    message_id,
    event: readStoredEvent(data),
    judged: readJudged(judged),
    lookup,
  };
}

function readSource(name: string): EventSource {
  const known = eventSources.find((one) => one === name);
  if (known === undefined) throw new Error(`payment event of the unknown source ${name}`);
  return known;
}

export function readProcessor(name: string): ProcessorName {
  const known = processorNames.find((one) => one === name);
  if (known === undefined) throw new Error(`payment event of the unknown processor ${name}`);
  return known;
}

/** Emails and customer ids that events name. */
function namesOf(events: readonly StoredEvent[]): { emails: string[]; customer_ids: string[] } {
  const emails = new Set<string>();
  const customer_ids = new Set<string>();
  for (const stored of events) {
    const { event } = stored;
    for (const email of emailsOf(stored)) emails.add(lowerCase(email));
    if ("customer_id" in event && event.customer_id !== null) customer_ids.add(event.customer_id);
  }
  return { emails: [...emails], customer_ids: [...customer_ids] };
}
