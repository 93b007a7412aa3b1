import {
  type AffiliateListRow,
  type ListAffiliateRows,
  MAX_COUNTED_REFERRALS,
  type MatchAffiliates,
} from "@findersfee/contract/affiliates/rows";
import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { MatchingRows, RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  type AffiliateBalanceRow,
  type AffiliateSource,
  countAffiliateRows,
  findLastCandidate,
  type AffiliateListRow as ListRow,
  listBalancesOf,
  listMatchingAffiliates,
  listAffiliateRows as listRows,
} from "@findersfee/database/affiliates/list-rows";
import type {
  AffiliateOrder,
  AffiliatePosition,
  AffiliateRange,
  AffiliateRowFilter,
} from "@findersfee/database/affiliates/search";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import { toMajor } from "../money.ts";
import { countRows, matchingRows } from "../row-counts.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { agreementOf, stateOf } from "./state.ts";

/** The newest affiliates that are searched for a text before its index is: of frequent texts, they have a page. */
const NEWEST = 2_000;
/** Affiliates that a request with several conditions looks at. A page with fewer rows continues behind them. */
const LOOKED_AT = 2_000;

/**
 * The dashboard's list of affiliates, newest first or by a figure. Errors: `not_found` when nothing matches and the named
 * campaign does not exist.
 */
export async function listAffiliateRows(
  context: Context,
  query: ListAffiliateRows,
): Promise<RowPage<AffiliateListRow>> {
  const { database, organization } = context;
  const order = orderOf(query, organization.currency);
  const page = await readAffiliatePage(context, query, {
    filter: affiliateFilter(query, organization.currency),
    order,
  });
  if (page.data.length === 0) await requireNamed(context, query);
  const affiliate_ids = page.data.map(({ id }) => id);
  const balances = await listBalancesOf(database, organization.id, { affiliate_ids, now: new Date() });
  const viewOf = (row: ListRow) =>
    viewRow(
      row,
      balances.filter(({ affiliate_id }) => affiliate_id === row.id),
    );
  return { ...page, data: page.data.map(viewOf) };
}

/** The number of affiliates on all pages of the list. */
export async function countAffiliates(context: Context, query: MatchAffiliates): Promise<RowCount> {
  const { organization } = context;
  const matching = matchOf(query, organization.currency);
  return await countRows(context, (sql, most) =>
    countAffiliateRows(sql, organization.id, { ...matching, most }),
  );
}

/** The affiliates on all pages of the list, each with its state. */
export async function matchAffiliates(
  { database, organization }: Context,
  query: MatchAffiliates,
): Promise<MatchingRows> {
  const most = MAX_COUNTED_ROWS + 1;
  const rows = await listMatchingAffiliates(database, organization.id, {
    ...matchOf(query, organization.currency),
    most,
  });
  return matchingRows(rows.map((row) => ({ id: row.id, state: stateOf(row) })));
}

function matchOf(
  query: MatchAffiliates,
  currency: string,
): { filter: AffiliateRowFilter; order: AffiliateOrder | null } {
  return { filter: affiliateFilter(query, currency), order: orderOf(query, currency) };
}

export type AffiliateListFilter = Omit<ListAffiliateRows, "limit" | "after" | "before" | "sort">;

/** The filter of the list. */
export function affiliateFilter(
  { text, state, agreement, campaign_id, created_from, owed }: AffiliateListFilter,
  home_currency: string,
): AffiliateRowFilter {
  return {
    state,
    agreement,
    campaign_id,
    from_id: created_from && firstIdOf(new Date(created_from)),
    prefix: text?.trim(),
    owed_in: owed ? home_currency : undefined,
  };
}

/** Those who are owed something are listed by it, unless the query names another order. */
function orderOf({ sort, owed }: MatchAffiliates, currency: string): AffiliateOrder | null {
  const figure = sort ?? (owed ? "unpaid" : "joined");
  return figure === "joined" ? null : { figure, currency };
}

async function readAffiliatePage(
  { database, organization }: Context,
  query: ListAffiliateRows,
  { filter, order }: { filter: AffiliateRowFilter; order: AffiliateOrder | null },
): Promise<RowPage<ListRow>> {
  let last: AffiliatePosition | null = null;
  const read = async (range: AffiliateRange) => {
    for (const source of sourcesOf(filter, { order, limit: range.limit })) {
      const rows = await listRows(database, organization.id, {
        filter,
        source,
        range,
        most_referrals: MAX_COUNTED_REFERRALS,
      });
      if (rows.length === range.limit || source.kind === "all") return rows;
      if (source.kind === "newest") continue;
      if (source.most > range.limit)
        last = await findLastCandidate(database, organization.id, { filter, source, range });
      return rows;
    }
    return [];
  };
  return await readRowPage(query, {
    read,
    parse: (cursor) => readPosition(cursor, order !== null),
    positionOf: writePosition,
    view: (row) => row,
    continuesAt: () => last && writePosition(last),
  });
}

/** The sources to try, in this order. */
function sourcesOf(
  { prefix, ...others }: AffiliateRowFilter,
  { order, limit }: { order: AffiliateOrder | null; limit: number },
): AffiliateSource[] {
  const is_narrowed = Object.values(others).some((condition) => condition !== undefined);
  if (order !== null) {
    return [{ kind: "figure", order, most: is_narrowed || prefix !== undefined ? LOOKED_AT : limit }];
  }
  if (prefix === undefined) return [{ kind: "all" }];
  // Of the nearest matches of each index, a longer list takes longer to sort.
  return [
    { kind: "newest", most: NEWEST },
    { kind: "text", most: is_narrowed ? LOOKED_AT : limit },
  ];
}

function writePosition({ figure, id }: AffiliatePosition): string {
  return figure === null ? id : `${figure}:${id}`;
}

/** Errors: `invalid_request`. */
function readPosition(cursor: string, has_figure: boolean): AffiliatePosition {
  if (!has_figure) return { figure: null, id: readIdPosition(cursor) };
  const [figure = "", id = ""] = cursor.split(":");
  if (!/^-?\d{1,18}$/.test(figure)) throw invalidField("after", "Must be a position from a list response.");
  return { figure: BigInt(figure), id: readIdPosition(id) };
}

async function requireNamed(
  { database, organization }: Context,
  { campaign_id }: ListAffiliateRows,
): Promise<void> {
  if (campaign_id === undefined) return;
  if ((await findCampaign(database, organization.id, campaign_id)) === null) throw notFound("campaign");
}

function viewRow(row: ListRow, balances: readonly AffiliateBalanceRow[]): AffiliateListRow {
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    campaign: { id: row.campaign_id, name: row.campaign_name },
    state: stateOf(row),
    agreement: agreementOf(row),
    code: row.code,
    clicks: Number(row.clicks),
    last_click_day: row.last_click_day,
    referrals: row.referrals,
    converted: row.converted,
    balances: balances.map(({ currency, net_minor, unpaid_minor, held_minor }) => ({
      currency,
      earned: toMajor(net_minor, currency),
      due: toMajor(unpaid_minor - held_minor, currency),
      unpaid: toMajor(unpaid_minor, currency),
    })),
    created_at: row.created_at.toISOString(),
  };
}
