import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import { payoutStatuses } from "@findersfee/contract/payouts/payouts";
import type { ExportPayoutRows, ListPayoutRows, PayoutListRow } from "@findersfee/contract/payouts/rows";
import type { MatchingRows, RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  countPayoutRows,
  findLastSearched,
  type PayoutListRow as ListRow,
  listMatchingPayouts,
  listPayoutRows as listRows,
  type PayoutRowFilter,
} from "@findersfee/database/payouts/list-rows";
import type { Connection } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { findByIdText } from "@findersfee/database/search/matches";
import { viewRowAffiliate } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { firstIdOf } from "../ids.ts";
import { toMajor } from "../money.ts";
import { findAffiliateText } from "../people-with-text.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { countRows, matchingRows } from "../row-counts.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { viewConversions } from "./conversions.ts";
import { payoutIdTextOf } from "./reference.ts";
import { getPayoutRun } from "./runs/get.ts";

/** Payouts with an id that a text begins or ends. */
const MOST_IDS = 1_000;
/** The payouts to search at once for a text that more affiliates have. */
const SEARCHED = 5_000;

/** The dashboard's list of payouts, newest first. Errors: `not_found` when nothing matches and the run or affiliate does not exist. */
export async function listPayoutRows(
  context: Context,
  query: ListPayoutRows,
): Promise<RowPage<PayoutListRow>> {
  const { database, organization } = context;
  const filter = await payoutFilter(database, organization.id, query);
  const is_searched =
    filter.text !== undefined && "affiliate_ids" in filter.text && filter.text.affiliate_ids === null;
  let last: string | null = null;
  const page = await readRowPage(query, {
    read: async (range) => {
      const search = { filter, range, most: SEARCHED };
      const rows = await listRows(database, organization.id, search);
      if (is_searched && rows.length < range.limit) {
        last = await findLastSearched(database, organization.id, search);
      }
      return rows;
    },
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewPayoutRow,
    continuesAt: () => last,
  });
  if (page.data.length > 0) return page;
  if (query.run_id !== undefined) await getPayoutRun(context, query.run_id);
  if (query.affiliate_id !== undefined) await requireAffiliate(context, query.affiliate_id);
  return page;
}

/** The number of payouts on all pages of the list. */
export async function countPayouts(context: Context, query: ExportPayoutRows): Promise<RowCount> {
  const { organization } = context;
  return await countRows(context, async (sql, most) => {
    const filter = await payoutFilter(sql, organization.id, query);
    return await countPayoutRows(sql, organization.id, { filter, most });
  });
}

/** The payouts on all pages of the list, each with its status. */
export async function matchPayouts(
  { database, organization }: Context,
  query: ExportPayoutRows,
): Promise<MatchingRows> {
  const filter = await payoutFilter(database, organization.id, query);
  const rows = await listMatchingPayouts(database, organization.id, { filter, most: MAX_COUNTED_ROWS + 1 });
  return matchingRows(rows.map(({ id, status }) => ({ id, state: status })));
}

/** The filter of a list or an export. */
export async function payoutFilter(
  sql: Connection,
  organization_id: string,
  { run_id, affiliate_id, status, currency, created_from, created_until, text }: ExportPayoutRows,
): Promise<PayoutRowFilter> {
  const filter: PayoutRowFilter = {
    run_id,
    affiliate_id,
    statuses: statusesOf(status),
    currency,
    from_id: created_from && firstIdOf(new Date(created_from)),
    before_id: created_until && firstIdOf(new Date(created_until)),
  };
  if (text === undefined) return filter;
  const id_text = payoutIdTextOf(lowerCase(text.trim()));
  const ids = await findByIdText(sql, organization_id, { table: "payouts", most: MOST_IDS, ...id_text });
  if (ids.length > 0) return { ...filter, text: { ids } };
  return { ...filter, text: await findAffiliateText(sql, organization_id, text) };
}

function statusesOf(status: ListPayoutRows["status"]): PayoutRowFilter["statuses"] {
  if (status === undefined) return payoutStatuses;
  return status === "open" ? ["pending", "processing"] : [status];
}

export function viewPayoutRow(row: ListRow): PayoutListRow {
  return {
    id: row.id,
    affiliate: viewRowAffiliate(row),
    affiliate_name: row.affiliate_name,
    payout_email: row.payout_email,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    ...viewConversions(row),
    payment_count: row.payment_count,
    period: row.period,
    status: row.status,
    method: row.method,
    status_at: row.status_at.toISOString(),
    status_reason: row.status_reason,
    run_id: row.run_id,
    created_at: row.created_at.toISOString(),
  };
}
