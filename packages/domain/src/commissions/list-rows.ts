import type { ReversedBy } from "@findersfee/contract/attribution/reversals";
import type { CommissionReview } from "@findersfee/contract/commissions/reviews";
import type {
  CommissionListRow,
  CommissionState,
  ExportCommissions,
  ListCommissionRows,
} from "@findersfee/contract/commissions/rows";
import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { MatchingRows, RowCount, RowPage } from "@findersfee/contract/row-pages";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import {
  type CommissionPosition,
  type CommissionRange,
  type CommissionRowFilter,
  countCommissionRows,
  countCommissionsOf,
  findCampaignAffiliates,
  type CommissionListRow as ListRow,
  listMatchingCommissions,
  listCommissionRows as listRows,
} from "@findersfee/database/commissions/list-rows";
import type { RecruitColumns } from "@findersfee/database/commissions/recruit-columns";
import type { ReviewColumns } from "@findersfee/database/commissions/reviews";
import { type CommissionText, findPaymentsBeginning, isRare } from "@findersfee/database/commissions/search";
import type { Connection } from "@findersfee/database/postgres/connect";
import { viewRowAffiliate } from "../affiliates/view.ts";
import { findReportedReversals, goneBy } from "../attribution/reported-reversals.ts";
import { viewSteps, viewStoredSignals } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor, toPercent } from "../money.ts";
import { readTimeCursor, timeCursor } from "../pages.ts";
import { getPayout } from "../payouts/get.ts";
import { findAllWithText } from "../people-with-text.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { countRows, matchingRows } from "../row-counts.ts";
import { readRowPage } from "../row-pages.ts";
import { viewReview } from "../webhooks/events/data.ts";
import { narrow } from "./list.ts";

/** Up to this many affiliates or customers, their commissions are counted. */
const FEW = 1000;
/**
 * Up to this number of commissions of some people or payments, the list reads and sorts them all. With more,
 * it soon finds the next ones among all commissions.
 */
const FEW_COMMISSIONS = 5_000;
/** The next commissions that are searched for a frequent text before all are. */
const SEARCHED = 2_000;

/**
 * The dashboard's list of commissions, the latest date first. Errors: `not_found` when nothing matches and the named affiliate,
 * campaign or payout does not exist.
 */
export async function listCommissionRows(
  context: Context,
  query: ListCommissionRows,
): Promise<RowPage<CommissionListRow>> {
  const { database, organization } = context;
  const now = new Date();
  const filter = await commissionFilter(database, organization.id, { filters: query, now });
  const page = await readRowPage(query, {
    read: (range) => readCommissionRows(database, organization.id, { filter, range }),
    parse: readPosition,
    positionOf: ({ referral_date, id }) => timeCursor({ at: referral_date, name: "paid", id }),
    view: (row) => row,
  });
  if (page.data.length === 0) await requireNamed(context, query);
  const voided_by = await findVoidedBy(database, organization.id, page.data);
  const data = page.data.map((row) => ({
    ...viewRow(row, { now, fixed_currency: organization.currency }),
    voided_by: voided_by.get(row.id) ?? null,
  }));
  return { ...page, data };
}

/** The number of commissions on all pages of the list. */
export async function countCommissions(context: Context, filters: ExportCommissions): Promise<RowCount> {
  const { organization } = context;
  return await countRows(context, async (sql, most) => {
    const filter = await commissionFilter(sql, organization.id, { filters, now: new Date() });
    return await countCommissionRows(sql, organization.id, { filter, most });
  });
}

/** The commissions on all pages of the list, each with its payout status. */
export async function matchCommissions(
  { database, organization }: Context,
  filters: ExportCommissions,
): Promise<MatchingRows> {
  const filter = await commissionFilter(database, organization.id, { filters, now: new Date() });
  const most = MAX_COUNTED_ROWS + 1;
  const rows = await listMatchingCommissions(database, organization.id, { filter, most });
  return matchingRows(rows.map(({ id, payout_status }) => ({ id, state: payout_status })));
}

/** The reversals of the payments of void commissions, by commission. */
export async function findVoidedBy(
  sql: Connection,
  organization_id: string,
  rows: readonly ListRow[],
): Promise<Map<string, ReversedBy>> {
  const taken_back = await findReportedReversals(sql, organization_id, rows.flatMap(gonePayment));
  return new Map(
    rows.flatMap(({ id, gone_id }) =>
      gone_id === null ? [] : [[id, goneBy(taken_back.get(gone_id) ?? [])]],
    ),
  );
}

/** The payment of a void commission that was taken back. */
function gonePayment({ gone_id, gone_customer_id, gone_processor, gone_payment_id }: ListRow) {
  if (gone_id === null || gone_customer_id === null) return [];
  if (gone_processor === null || gone_payment_id === null) return [];
  return {
    id: gone_id,
    customer_id: gone_customer_id,
    processor: gone_processor,
    payment_id: gone_payment_id,
  };
}

/** Reads the next rows of a list or an export. */
export async function readCommissionRows(
  sql: Connection,
  organization_id: string,
  { filter, range }: { filter: CommissionRowFilter; range: CommissionRange },
): Promise<ListRow[]> {
  if (filter.text !== undefined && !isRare(filter.text)) {
    const rows = await listRows(sql, organization_id, { filter, range, searched: SEARCHED });
    if (rows.length === range.limit) return rows;
  }
  return await listRows(sql, organization_id, { filter, range });
}

function readPosition(cursor: string): CommissionPosition {
  const { at, id } = readTimeCursor(cursor);
  return { referral_date: at, id };
}

/** The filter of a list or an export. Held and due are as of `now`. */
export async function commissionFilter(
  sql: Connection,
  organization_id: string,
  { filters, now }: { filters: ExportCommissions; now: Date },
): Promise<CommissionRowFilter> {
  const { text, state, affiliate_id, campaign_id, payout_id, reversal, paid_from, paid_until } = filters;
  const filter: CommissionRowFilter = {
    affiliate_id,
    campaign_id,
    payout_ids: payout_id === undefined ? undefined : [payout_id],
    reversal,
    paid_from: paid_from === undefined ? undefined : new Date(paid_from),
    paid_until: paid_until === undefined ? undefined : new Date(paid_until),
  };
  if (state !== undefined) filter.state = { name: state, now };
  if (text !== undefined) filter.text = await findText(sql, organization_id, text.trim());
  // Among the few matches of a text, the others are only checked.
  if (!isRare(filter.text)) filter.affiliate_ids = await findFewAffiliates(sql, organization_id, filter);
  if (payout_id !== undefined || (state !== "pending" && state !== "paid")) return filter;
  const { before_id, payout_ids } = await narrow(sql, organization_id, {
    payout_status: state,
    affiliate_id,
    before_id: undefined,
  });
  return { ...filter, before_id, payout_ids };
}

/** The people and payments with a text; null in place of those that are too many, or have too many commissions. */
async function findText(sql: Connection, organization_id: string, prefix: string): Promise<CommissionText> {
  const matches = await findTextMatches(sql, organization_id, {
    text: prefix,
    most: FEW,
    most_payments: FEW_COMMISSIONS,
  });
  const { affiliate_ids, referral_ids } = matches;
  if (affiliate_ids === null || referral_ids === null) return { prefix, matches };
  if (await haveFew(sql, organization_id, { affiliate_ids, referral_ids })) return { prefix, matches };
  return { prefix, matches: { ...matches, affiliate_ids: null } };
}

/** The affiliates and customers with a text anywhere, and the payments with an id that begins with it. */
export async function findTextMatches(
  sql: Connection,
  organization_id: string,
  { text, most, most_payments }: { text: string; most: number; most_payments: number },
): Promise<CommissionText["matches"]> {
  return {
    affiliate_ids: await findAllWithText(sql, organization_id, { people: "affiliates", text, most }),
    referral_ids: await findAllWithText(sql, organization_id, { people: "customers", text, most }),
    commission_ids: await findPaymentsBeginning(sql, organization_id, { text, most: most_payments }),
  };
}

/** The affiliates of a filter, if their commissions are few. */
async function findFewAffiliates(
  sql: Connection,
  organization_id: string,
  { affiliate_id, campaign_id }: CommissionRowFilter,
): Promise<string[] | null> {
  if (affiliate_id === undefined && campaign_id === undefined) return null;
  const affiliate_ids =
    affiliate_id !== undefined
      ? [affiliate_id]
      : await findCampaignAffiliates(sql, organization_id, { campaign_id: campaign_id ?? "", most: FEW });
  if (affiliate_ids === null) return null;
  return (await haveFew(sql, organization_id, { affiliate_ids, referral_ids: [] })) ? affiliate_ids : null;
}

async function haveFew(
  sql: Connection,
  organization_id: string,
  people: { affiliate_ids: string[]; referral_ids: string[] },
): Promise<boolean> {
  if (people.affiliate_ids.length + people.referral_ids.length === 0) return true;
  const most = FEW_COMMISSIONS + 1;
  return (await countCommissionsOf(sql, organization_id, { ...people, most })) <= FEW_COMMISSIONS;
}

async function requireNamed(
  context: Context,
  { affiliate_id, campaign_id, payout_id }: ListCommissionRows,
): Promise<void> {
  if (payout_id !== undefined) await getPayout(context, payout_id);
  if (affiliate_id !== undefined) await requireAffiliate(context, affiliate_id);
  if (campaign_id === undefined) return;
  if ((await findCampaign(context.database, context.organization.id, campaign_id)) === null) {
    throw notFound("campaign");
  }
}

/** The recruit with the commission that it is a percentage of. */
export function viewRecruit(row: RecruitColumns): CommissionListRow["recruit"] {
  const { recruit_commission_id, recruit_id, recruit_email, recruiting_rate } = row;
  if (recruit_commission_id === null || recruit_id === null || recruit_email === null) return null;
  return {
    commission_id: recruit_commission_id,
    affiliate: {
      id: recruit_id,
      email: recruit_email,
      first_name: row.recruit_first_name ?? "",
      last_name: row.recruit_last_name ?? "",
    },
    percent: toPercent(recruiting_rate ?? 0n),
  };
}

function viewRow(
  row: ListRow,
  { now, fixed_currency }: { now: Date; fixed_currency: string },
): Omit<CommissionListRow, "voided_by"> {
  const { currency, payout_id, payout_period } = row;
  return {
    id: row.id,
    affiliate: viewRowAffiliate(row),
    customer: { referral_id: row.referral_id, email: row.customer_email },
    revenue_amount: toMajor(row.revenue_minor, currency),
    currency,
    commission_amount: toMajor(row.commission_minor, currency),
    payout_status: row.payout_status,
    state: stateOf(row, now),
    payable_at: payableAt(row),
    referral_date: row.referral_date.toISOString(),
    created_at: row.created_at.toISOString(),
    processor_payment_id: row.processor_payment_id,
    lead: row.lead,
    recruit: viewRecruit(row),
    payout: payout_id === null || payout_period === null ? null : { id: payout_id, period: payout_period },
    reversal_of: row.reversal_of,
    review_state: row.review_state,
    review: viewReviewColumns(row),
    decision_id: row.decision_id,
    steps: row.explanation === null ? [] : viewSteps(row.explanation, { currency, fixed_currency }),
    signals: row.explanation === null ? [] : viewStoredSignals(row.explanation),
  };
}

type Payable = Pick<ListRow, "payout_status" | "commission_minor" | "payable_at" | "due_at" | "created_at">;

/** A commission in no payout is in review, held until a moment, or due. */
export function stateOf(
  { payout_status, due_at, review_state }: Pick<ListRow, "payout_status" | "due_at" | "review_state">,
  now: Date,
): CommissionState {
  if (payout_status !== "not_paid") return payout_status;
  if (review_state === "pending") return "in_review";
  return due_at !== null && due_at > now ? "held" : "due";
}

/** The review of a commission that needed one. */
export function viewReviewColumns(row: ReviewColumns & { id: string }): CommissionReview | null {
  if (row.review_reasons === null || row.review_created_at === null) return null;
  return viewReview({
    id: row.id,
    reasons: row.review_reasons,
    created_at: row.review_created_at,
    due_at: row.review_due_at,
    decided_by: row.review_decided_by,
    decided_at: row.review_decided_at,
    decision_reason: row.review_decision_reason,
  });
}

/** The end of the holding period; a reversal has none. */
export function payableAt({ commission_minor, payable_at, created_at }: Payable): string {
  return (commission_minor < 0n ? created_at : payable_at).toISOString();
}
