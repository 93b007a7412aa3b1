import {
  MAX_SUMMED_COMMISSIONS,
  type ReferralTimeline,
  type TimelineEntry,
} from "@findersfee/contract/customers/referral-rows";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import { type DecisionSummaryRow, listDecisionSummaries } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findLeads, type LeadRow } from "@findersfee/database/attribution/leads";
import {
  findReferralRow,
  listEntriesOfCommissions,
  listReceiptTimes,
  type ReferralListRow,
} from "@findersfee/database/customers/list-referral-rows";
import type { LedgerEntryRow } from "@findersfee/database/ledger/entries";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { listOverrideStories } from "../attribution/explain-override.ts";
import { findClicks } from "../attribution/facts/clicks.ts";
import { paymentNames } from "../attribution/facts/fact-names.ts";
import type { StoredFact } from "../attribution/facts/stored-fact.ts";
import { viewLead } from "../attribution/view-lead.ts";
import { loadFacts } from "../attribution/write/load-facts.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor } from "../money.ts";
import { factEntry, NO_ENTRY } from "./fact-entry.ts";
import { overrideEntries } from "./override-entries.ts";
import { viewReferralRow } from "./referrals/list-rows.ts";

/** A customer of years has hundreds of reports: the last ones are shown. */
const MAX_ENTRIES = 200;
const MAX_LEDGER_ENTRIES = 1_000;

/** Everything that is known of a referral's customer, the earliest first. Errors: `not_found`. */
export async function getTimeline(context: Context, id: string): Promise<ReferralTimeline> {
  const { database, organization } = context;
  const row = await findReferralRow(database, organization.id, {
    id,
    most_commissions: MAX_SUMMED_COMMISSIONS,
  });
  if (row === null) throw notFound("referral");
  const customers = await findCustomerKeys(database, organization.id, keysOf(row));
  const customer_ids = [...new Set(customers.values())];
  const [facts_of, decisions] = await Promise.all([
    loadFacts(database, organization.id, customer_ids),
    listDecisionSummaries(database, organization.id, { customer_ids, payments: null, limit: MAX_ENTRIES }),
  ]);
  const facts = [...facts_of.values()].flat();
  const reported = facts.filter(({ fact }) => fact.kind !== "override");
  const [clicks, ledger, received, overrides, leads] = await Promise.all([
    readClicks(context, facts),
    listEntriesOfCommissions(database, organization.id, {
      commission_ids: decisions.flatMap(({ commission_id }) => commission_id ?? []),
      limit: MAX_LEDGER_ENTRIES,
    }),
    listReceiptTimes(database, organization.id, [...new Set(reported.map(({ message_id }) => message_id))]),
    listOverrideStories(database, organization.id, customer_ids),
    findLeads(database, organization.id, [id]),
  ]);
  const decision_of = new Map(decisions.map((decision) => [decision.payment_id, decision]));
  const entries: TimelineEntry[] = reported.map((stored) => {
    const cause = `${stored.processor} ${stored.message_id}`;
    return {
      ...factEntry(stored),
      received_at:
        received
          .find(({ processor, id: message_id }) => `${processor} ${message_id}` === cause)
          ?.received_at.toISOString() ?? null,
      decision: viewDecision(decisionFor(stored, decision_of)),
      ledger: viewEntries(ledger.filter((entry) => sourceOf(entry, reported) === stored)),
    };
  });
  entries.push(...clicks, ...ownEntries(row), ...leads.map(leadEntry), ...overrides.flatMap(overrideEntries));
  entries.sort((a, b) => a.occurred_at.localeCompare(b.occurred_at));
  return {
    referral: {
      ...viewReferralRow(row),
      created_at: row.created_at.toISOString(),
      replaced_at: row.replaced_at?.toISOString() ?? null,
      email_is_manual: row.email_is_manual,
      customer_id_is_manual: row.customer_id_is_manual,
    },
    overrides,
    entries: entries.slice(-MAX_ENTRIES),
    is_cut: entries.length > MAX_ENTRIES,
  };
}

/** The facts that change money. If one cause has several messages, these describe it. */
const MONEY = ["payment", "charge", "refund", "dispute", "refunded_total"];

/** The fact that caused an entry of the ledger. Its cause names the messages of one batch. */
function sourceOf({ cause }: LedgerEntryRow, facts: readonly StoredFact[]): StoredFact | undefined {
  const causes = cause.split(", ");
  const named = facts.filter(({ processor, message_id }) => causes.includes(`${processor} ${message_id}`));
  return named.findLast(({ fact }) => MONEY.includes(fact.kind)) ?? named.at(-1);
}

function viewEntries(entries: readonly LedgerEntryRow[]): TimelineEntry["ledger"] {
  return entries.toReversed().map(({ number, kind, commission_id, unpaid_minor, currency }) => ({
    number: String(number),
    kind,
    commission_id,
    unpaid: toMajor(unpaid_minor, currency),
    currency,
  }));
}

/** The keys by which the customer is known. */
function keysOf({ email, processor_customer_id }: ReferralListRow): string[] {
  const of_email = `email:${lowerCase(email)}`;
  return processor_customer_id === null ? [of_email] : [of_email, `customer:${processor_customer_id}`];
}

/** The decision on a payment's own report. */
function decisionFor(
  stored: StoredFact,
  decision_of: ReadonlyMap<string, DecisionSummaryRow>,
): DecisionSummaryRow | undefined {
  const { kind } = stored.fact;
  if (kind !== "payment" && kind !== "charge") return undefined;
  const own = paymentNames(stored).flatMap(
    (name) => decision_of.get(name.split(":").slice(2).join(":")) ?? [],
  );
  return own[0];
}

function viewDecision(decision: DecisionSummaryRow | undefined): TimelineEntry["decision"] {
  if (decision === undefined) return null;
  const { id, outcome, commission_id, commission_minor, currency } = decision;
  return { id, outcome, commission_id, commission: toMajor(commission_minor, currency), currency };
}

async function readClicks(
  { database, organization }: Context,
  facts: readonly StoredFact[],
): Promise<TimelineEntry[]> {
  const ids = facts.flatMap(({ fact }) => ("click_ids" in fact ? fact.click_ids : []));
  const clicks = await findClicks(database, organization.id, [...new Set(ids)]);
  if (clicks.length === 0) return [];
  const affiliate_ids = [...new Set(clicks.map(({ affiliate_id }) => affiliate_id))];
  const affiliates = await findAffiliates(database, organization.id, affiliate_ids);
  const by_id = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]));
  return clicks.map((click) => clickEntry(click, by_id.get(click.affiliate_id)));
}

function clickEntry(
  { clicked_at, code, landing_url, referrer }: ClickRow,
  affiliate: AffiliateRow | undefined,
): TimelineEntry {
  return {
    ...NO_ENTRY,
    kind: "click",
    occurred_at: clicked_at.toISOString(),
    received_at: clicked_at.toISOString(),
    click: { code, landing_url, referrer },
    affiliate:
      affiliate === undefined
        ? null
        : {
            id: affiliate.id,
            email: affiliate.email,
            first_name: affiliate.first_name,
            last_name: affiliate.last_name,
          },
  };
}

function leadEntry(lead: LeadRow): TimelineEntry {
  return {
    ...NO_ENTRY,
    kind: "lead",
    occurred_at: lead.occurred_at.toISOString(),
    received_at: lead.created_at.toISOString(),
    subject: lead.kind,
    lead: viewLead(lead),
  };
}

/** The sign-up and the first commission of the referral itself. */
function ownEntries({ signup_date, created_at, converted_at }: ReferralListRow): TimelineEntry[] {
  const of_referral = {
    ...NO_ENTRY,
    kind: "referral",
    occurred_at: signup_date.toISOString(),
    received_at: created_at.toISOString(),
  };
  if (converted_at === null) return [of_referral];
  const at = converted_at.toISOString();
  return [of_referral, { ...NO_ENTRY, kind: "converted", occurred_at: at, received_at: at }];
}
