import { payoutStatuses } from "@findersfee/contract/payouts/payouts";
import {
  type Earning,
  type EarningStory,
  earningEntryKinds,
  type ListEarnings,
} from "@findersfee/contract/portal/earnings";
import type { RowPage } from "@findersfee/contract/row-pages";
import {
  type EarningDecisionRow,
  type EarningRow,
  findEarning,
  findEarningDecision,
  listEarningEntries,
  listRelatedEarnings,
  listEarnings as listRows,
} from "@findersfee/database/portal/earnings";
import type { OwnAffiliate } from "@findersfee/database/portal/home";
import type { Connection, Database } from "@findersfee/database/postgres/connect";
import { z } from "zod";
import { findClicks } from "../attribution/facts/clicks.ts";
import { viewSteps } from "../attribution/view.ts";
import { readExplanation } from "../attribution/write/explanation.ts";
import { payableAt, stateOf } from "../commissions/list-rows.ts";
import { shownEmail } from "../customers/referrals/shown-email.ts";
import { notFound } from "../errors.ts";
import { viewLineAdjustment } from "../ledger/adjustments/view.ts";
import { toMajor } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { viewRecruitOfLine } from "../shown-name.ts";
import { ownOf } from "./own.ts";

/** The affiliate's commissions and adjustments, newest first. */
export async function listEarnings(
  database: Database,
  session: AffiliateSession,
  query: ListEarnings,
): Promise<RowPage<Earning>> {
  const now = new Date();
  return await readRowPage(query, {
    read: (range) => listRows(database, { ...ownOf(session), range, state: query.state, now }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: (row) => viewEarning(row, now),
  });
}

/** The affiliate's newest commissions and adjustments. */
export async function listNewestEarnings(
  sql: Connection,
  own: OwnAffiliate,
  { limit, now }: { limit: number; now: Date },
): Promise<Earning[]> {
  const range = { after: null, before: null, limit };
  const rows = await listRows(sql, { ...own, range, state: undefined, now });
  return rows.map((row) => viewEarning(row, now));
}

/** A commission or an adjustment of the affiliate with everything that happened to it. Errors: `not_found`. */
export async function getEarning(
  database: Database,
  session: AffiliateSession,
  id: string,
): Promise<EarningStory> {
  const own = ownOf(session);
  const now = new Date();
  const row = await findEarning(database, { ...own, id });
  if (row === null) throw notFound("commission");
  const [decision, entries, related] = await Promise.all([
    findEarningDecision(database, { ...own, id: row.reversal_of ?? row.id }),
    listEarningEntries(database, { ...own, ...row }),
    listRelatedEarnings(database, { ...own, ...row }),
  ]);
  const net_minor = entries.reduce((sum, { unpaid_minor }) => sum + unpaid_minor, 0n);
  const source = decision && (await viewSource(database, own, decision));
  return {
    earning: viewEarning(row, now),
    source,
    reason: decision !== null && source === null ? reasonOf(decision) : null,
    payment: decision && viewPayment(decision, { row, fixed_currency: session.organization.currency }),
    entries: entries.map(({ kind, unpaid_minor, created_at, because }) => ({
      kind: entryKind.parse(kind),
      amount: toMajor(unpaid_minor, row.currency),
      at: created_at.toISOString(),
      because,
    })),
    related: related.map((other) => ({
      id: other.id,
      commission_amount: toMajor(other.commission_minor, other.currency),
      state: stateOf(other, now),
      created_at: other.created_at.toISOString(),
      adjustment: viewLineAdjustment(other),
    })),
    payout: viewPayout(row),
    net_amount: toMajor(net_minor, row.currency),
    adds_up: net_minor === (row.voided ? 0n : row.commission_minor),
  };
}

/** A commission or an adjustment as its affiliate sees it. */
function viewEarning(row: EarningRow, now: Date): Earning {
  const { currency, payout_id, payout_period } = row;
  return {
    id: row.id,
    customer: row.customer_email && shownEmail(row.customer_email, row),
    revenue_amount: hasRevenue(row) ? shownRevenue(row.revenue_minor, row) : null,
    commission_amount: toMajor(row.commission_minor, currency),
    currency,
    state: stateOf(row, now),
    payable_at: payableAt(row),
    referral_date: row.referral_date.toISOString(),
    lead: row.lead,
    recruit: viewRecruitOfLine(row),
    created_at: row.created_at.toISOString(),
    payout: payout_id === null || payout_period === null ? null : { id: payout_id, period: payout_period },
    reversal_of: row.reversal_of,
    adjustment: viewLineAdjustment(row),
  };
}

/** Whether a line is for a payment of an own customer, or an adjustment. */
export function hasRevenue({
  lead,
  recruit_commission_id,
}: Pick<EarningRow, "lead" | "recruit_commission_id">): boolean {
  return lead === null && recruit_commission_id === null;
}

/** A customer's payment, as its affiliate may see it. Null for an adjustment, which has none. */
export function shownRevenue(
  minor: bigint | null,
  { hide_emails, currency }: { hide_emails: boolean; currency: string },
): number | null {
  return hide_emails || minor === null ? null : toMajor(minor, currency);
}

const entryKind = z.enum(earningEntryKinds);
const payoutStatus = z.enum(payoutStatuses);

function viewPayout({ payout_id, payout_period, payout_state, payout_status_at }: EarningRow) {
  if (payout_id === null || payout_period === null || payout_status_at === null) return null;
  return {
    id: payout_id,
    period: payout_period,
    status: payoutStatus.parse(payout_state),
    status_at: payout_status_at.toISOString(),
  };
}

function viewPayment(
  { paid_at, explanation }: EarningDecisionRow,
  { row, fixed_currency }: { row: EarningRow; fixed_currency: string },
): EarningStory["payment"] {
  const { currency, hide_emails } = row;
  const steps = viewSteps(explanation, { currency, fixed_currency });
  return {
    paid_at: paid_at.toISOString(),
    steps: steps.map(({ rule, type, amount, currency: own, of_amount, conversion }) => ({
      rule,
      type,
      amount,
      ...(own !== undefined && { currency: own }),
      of_amount: hide_emails ? null : of_amount,
      conversion,
    })),
    exact_amount: readExplanation(explanation).exact,
  };
}

/** Why the customer is the affiliate's, where no evidence at this payment says so. */
function reasonOf({
  explanation,
  claim_accepted_at,
  referral_is_manual,
}: EarningDecisionRow): EarningStory["reason"] {
  const { override } = readExplanation(explanation);
  if (override?.type === "credit" || override?.type === "move") {
    return { kind: override.type, at: override.created_at };
  }
  if (claim_accepted_at !== null) return { kind: "claim", at: claim_accepted_at.toISOString() };
  return { kind: referral_is_manual ? "organization" : "earlier", at: null };
}

/** The evidence that won. Another affiliate's is never shown. */
async function viewSource(
  sql: Connection,
  { organization_id, affiliate_id }: OwnAffiliate,
  { explanation }: EarningDecisionRow,
): Promise<EarningStory["source"]> {
  const won = readExplanation(explanation).candidates.find(
    (candidate) => candidate.result === "won" && candidate.affiliate_id === affiliate_id,
  );
  if (won === undefined) return null;
  const { source: kind, reference } = won;
  if (kind === "promo_code")
    return { kind, code: reference, clicked_at: null, landing_url: null, sub_id: null };
  const [found] = await findClicks(sql, organization_id, [reference]);
  const click = found?.affiliate_id === affiliate_id ? found : null;
  return {
    kind,
    code: click?.code ?? null,
    clicked_at: click?.clicked_at.toISOString() ?? null,
    landing_url: click?.landing_url ?? null,
    sub_id: click?.sub_id ?? null,
  };
}
