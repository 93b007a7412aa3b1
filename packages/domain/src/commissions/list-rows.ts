import type { ReversedBy } from "@findersfee/contract/attribution/reversals";
import type {
  CommissionListRow,
  CommissionState,
  ExportCommissions,
  ListCommissionRows,
} from "@findersfee/contract/commissions/rows";
import type { RowPage } from "@findersfee/contract/row-pages";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import {
  type CommissionRowFilter,
  findCampaignAffiliates,
  type CommissionListRow as ListRow,
  listCommissionRows as listRows,
  type RowRange,
} from "@findersfee/database/commissions/list-rows";
import { findCommissionTextMatches, isRare } from "@findersfee/database/commissions/search";
import type { Connection } from "@findersfee/database/postgres/connect";
import { viewRowAffiliate } from "../affiliates/view.ts";
import { findReportedReversals, goneBy } from "../attribution/reported-reversals.ts";
import { viewSteps } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import { toMajor } from "../money.ts";
import { getPayout } from "../payouts/get.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { narrow } from "./list.ts";

/** Up to this many affiliates, customers or payments, their commissions are read one by one. */
const FEW = 1000;
/** The next commissions that are searched for a frequent text before its index is, in the order of its payments' ids. */
const SEARCHED = 2_000;

/**
 * The dashboard's list of commissions, newest first. Errors: `not_found` when nothing matches and the named affiliate,
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
    parse: readIdPosition,
    positionOf: ({ id }) => id,
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

/** What took back the payments of void commissions, by commission. */
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
  { filter, range }: { filter: CommissionRowFilter; range: RowRange },
): Promise<ListRow[]> {
  if (filter.text !== undefined && !isRare(filter.text)) {
    const rows = await listRows(sql, organization_id, { filter, range, searched: SEARCHED });
    if (rows.length === range.limit) return rows;
  }
  return await listRows(sql, organization_id, { filter, range });
}

/** The filter of a list or an export. Held and due are as of `now`. */
export async function commissionFilter(
  sql: Connection,
  organization_id: string,
  { filters, now }: { filters: ExportCommissions; now: Date },
): Promise<CommissionRowFilter> {
  const { text, state, affiliate_id, campaign_id, payout_id, reversal, created_from, created_until } =
    filters;
  const filter: CommissionRowFilter = {
    affiliate_id,
    campaign_id,
    payout_ids: payout_id === undefined ? undefined : [payout_id],
    reversal,
    from_id: created_from && firstIdOf(new Date(created_from)),
    before_id: created_until && firstIdOf(new Date(created_until)),
  };
  if (state !== undefined) filter.state = { name: state, now };
  if (text !== undefined) {
    const prefix = text.trim();
    const matches = await findCommissionTextMatches(sql, organization_id, { text: prefix, most: FEW });
    filter.text = { prefix, matches };
  }
  // Among the few matches of a text, the campaign is only checked.
  if (campaign_id !== undefined && !isRare(filter.text)) {
    const campaign = { campaign_id, most: FEW };
    filter.affiliate_ids = await findCampaignAffiliates(sql, organization_id, campaign);
  }
  if (payout_id !== undefined || (state !== "pending" && state !== "paid")) return filter;
  const { before_id, payout_ids } = await narrow(sql, organization_id, {
    payout_status: state,
    affiliate_id,
    before_id: filter.before_id,
  });
  return { ...filter, before_id, payout_ids };
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
    payout: payout_id === null || payout_period === null ? null : { id: payout_id, period: payout_period },
    reversal_of: row.reversal_of,
    decision_id: row.decision_id,
    steps: row.explanation === null ? [] : viewSteps(row.explanation, { currency, fixed_currency }),
  };
}

type Payable = Pick<ListRow, "payout_status" | "commission_minor" | "payable_at" | "due_at" | "created_at">;

/** A commission in no payout is held until a moment, and due from then on. */
export function stateOf(
  { payout_status, due_at }: Pick<ListRow, "payout_status" | "due_at">,
  now: Date,
): CommissionState {
  if (payout_status !== "not_paid") return payout_status;
  return due_at !== null && due_at > now ? "held" : "due";
}

/** The end of the holding period; a reversal has none. */
export function payableAt({ commission_minor, payable_at, created_at }: Payable): string {
  return (commission_minor < 0n ? created_at : payable_at).toISOString();
}
