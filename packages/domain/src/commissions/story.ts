import type { CommissionStory } from "@findersfee/contract/commissions/story";
import { findCommissionsLead } from "@findersfee/database/attribution/customers";
import { findPaymentDecision } from "@findersfee/database/attribution/decisions";
import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import {
  type CommissionStoryRow,
  findCommissionDecision,
  findCommissionEvent,
  findCommissionStory,
  listRelatedCommissions,
  type RelatedCommissionRow,
} from "@findersfee/database/commissions/story";
import { listEntriesOf } from "@findersfee/database/ledger/entries";
import { listEventDeliveries } from "@findersfee/database/webhooks/deliveries";
import { viewRowAffiliate } from "../affiliates/view.ts";
import { explainCandidates } from "../attribution/explain-candidates.ts";
import { explainOverride } from "../attribution/explain-override.ts";
import { findReferredBy } from "../attribution/referred-by.ts";
import { remainingOf } from "../attribution/remaining.ts";
import { findReportedReversals, goneBy, viewPart } from "../attribution/reported-reversals.ts";
import { viewPaymentDecision } from "../attribution/view.ts";
import { viewLead } from "../attribution/view-lead.ts";
import { viewAuditEntry } from "../audit-log/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import { viewEntry } from "../ledger/list-entries.ts";
import { toMajor } from "../money.ts";
import { payableAt, stateOf, viewRecruit, viewReviewColumns } from "./list-rows.ts";

/** The event is written in the transaction that creates the commission, with the clock of the same process. */
const EVENT_MILLISECONDS = 10_000;
/** Those of a commission and its reversals. */
const MAX_ENTRIES = 1_000;
/** A commission that was corrected more often is the work of a program. */
const MAX_CHANGES = 200;

/** Everything that happened to a commission. Errors: `not_found`. */
export async function getCommissionStory(context: Context, id: string): Promise<CommissionStory> {
  const { database, organization } = context;
  const row = await findCommissionStory(database, organization.id, id);
  if (row === null) throw notFound("commission");
  const related = await listRelatedCommissions(database, organization.id, row);
  const [
    { decision, candidates, override, taken_back, decided },
    lead,
    all_entries,
    changes,
    event,
    referred_by,
  ] = await Promise.all([
    readDecision(context, row),
    row.lead === null ? null : findCommissionsLead(database, organization.id, row.reversal_of ?? id),
    listEntriesOf(database, organization.id, {
      commission_ids: [id, ...related.map((other) => other.id)],
      limit: MAX_ENTRIES,
    }),
    listAuditEntries(database, organization.id, {
      filter: { resource: "commission", resource_id: id },
      range: { from_id: null, below_id: null, limit: MAX_CHANGES },
    }),
    readEvent(context, row),
    findReferredBy(database, organization.id, row.referral_id),
  ]);
  const entries = all_entries.filter(({ commission_id }) => commission_id === id);
  const net_minor = entries.reduce((sum, { unpaid_minor }) => sum + unpaid_minor, 0n);
  return {
    ...viewStory(row),
    decision,
    lead: lead && viewLead(lead),
    candidates,
    referred_by,
    override,
    taken_back: taken_back.map(viewPart),
    taken_back_by: goneBy(taken_back),
    remaining: remainingOf({
      commission_id: row.reversal_of ?? id,
      currency: row.currency,
      decision: decided,
      entries: all_entries,
      taken_back,
    }),
    ledger: entries.map(viewEntry),
    related: related.map(({ commission_minor, currency, payout_status, created_at, ...other }) => ({
      id: other.id,
      commission_amount: toMajor(commission_minor, currency),
      payout_status,
      created_at: created_at.toISOString(),
    })),
    changes: changes.map(viewAuditEntry).reverse(),
    event,
    net_amount: toMajor(net_minor, row.currency),
    remaining_amount: toMajor(net_minor + reversedMinor(row, related), row.currency),
    adds_up: net_minor === (row.voided ? 0n : row.commission_minor),
  };
}

/** The sum of the reversals of a commission, which is not positive. */
function reversedMinor({ reversal_of }: CommissionStoryRow, related: RelatedCommissionRow[]): bigint {
  if (reversal_of !== null) return 0n;
  return related
    .filter(({ payout_status }) => payout_status !== "voided")
    .reduce((sum, { commission_minor }) => sum + commission_minor, 0n);
}

function viewStory(
  row: CommissionStoryRow,
): Pick<CommissionStory, "commission" | "affiliate" | "customer" | "payout"> {
  const { currency } = row;
  return {
    commission: {
      id: row.id,
      revenue_amount: toMajor(row.revenue_minor, currency),
      commission_amount: toMajor(row.commission_minor, currency),
      currency,
      payout_status: row.payout_status,
      stays_voided: row.stays_voided,
      state: stateOf(row, new Date()),
      referral_date: row.referral_date.toISOString(),
      payable_at: payableAt(row),
      created_at: row.created_at.toISOString(),
      processor_payment_id: row.processor_payment_id,
      lead: row.lead,
      recruit: viewRecruit(row),
      reversal_of: row.reversal_of,
      review_state: row.review_state,
      review: viewNamedReview(row),
    },
    affiliate: {
      ...viewRowAffiliate(row),
      campaign: { id: row.campaign_id, name: row.campaign_name },
    },
    customer: { referral_id: row.referral_id, email: row.customer_email },
    payout: viewPayout(row),
  };
}

function viewNamedReview(row: CommissionStoryRow): CommissionStory["commission"]["review"] {
  const review = viewReviewColumns(row);
  return review && { ...review, decided_by_name: row.review_decided_by_name };
}

function viewPayout({
  payout_id,
  payout_period,
  payout_state,
  payout_created_at,
  payout_status_at,
}: CommissionStoryRow): CommissionStory["payout"] {
  if (payout_id === null || payout_period === null || payout_state === null) return null;
  if (payout_created_at === null || payout_status_at === null) return null;
  return {
    id: payout_id,
    period: payout_period,
    status: payout_state,
    created_at: payout_created_at.toISOString(),
    status_at: payout_status_at.toISOString(),
  };
}

async function readDecision({ database, organization }: Context, { id, reversal_of }: CommissionStoryRow) {
  const decision_id = await findCommissionDecision(database, organization.id, reversal_of ?? id);
  const decided =
    decision_id === null ? null : await findPaymentDecision(database, organization.id, decision_id);
  if (decided === null) {
    return { decision: null, candidates: [], override: null, taken_back: [], decided };
  }
  const decision = viewPaymentDecision(decided, organization.currency);
  const { paid_at } = decided;
  const [candidates, override, taken_back] = await Promise.all([
    explainCandidates(
      database,
      organization.id,
      decision.explanation.candidates.map((candidate) => ({ candidate, paid_at })),
    ),
    explainOverride(database, organization.id, decided.explanation),
    findReportedReversals(database, organization.id, [decided]),
  ]);
  return { decision, candidates, override, taken_back: taken_back.get(decided.id) ?? [], decided };
}

async function readEvent(
  { database, organization }: Context,
  { id, created_at }: CommissionStoryRow,
): Promise<CommissionStory["event"]> {
  const event_id = await findCommissionEvent(database, organization.id, {
    commission_id: id,
    from_id: firstIdOf(new Date(created_at.getTime() - EVENT_MILLISECONDS)),
    until_id: firstIdOf(new Date(created_at.getTime() + EVENT_MILLISECONDS)),
  });
  if (event_id === null) return null;
  const deliveries = await listEventDeliveries(database, organization.id, event_id);
  return {
    id: event_id,
    deliveries: deliveries.map(({ state, endpoint_id }) => ({ state, endpoint_id })),
  };
}
