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
  type LimitedSource,
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
  AffiliateText,
} from "@findersfee/database/affiliates/search";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findByIdText } from "@findersfee/database/search/matches";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { idTextOf } from "../id-text.ts";
import { firstIdOf } from "../ids.ts";
import { toMajor } from "../money.ts";
import { FEW_AFFILIATES, findAffiliateText } from "../people-with-text.ts";
import { countRows, matchingRows } from "../row-counts.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";
import { agreementOf, stateOf } from "./state.ts";

/** Affiliates that a request with several conditions looks at. A page with fewer rows continues behind them. */
const LOOKED_AT = 1_000;
/**
 * The number of affiliates to search for a text that many may have. A page with fewer rows continues after
 * them.
 */
const SEARCHED = 10_000;

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
    filter: await affiliateFilter(database, organization, query),
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
  return await countRows(context, async (sql, most) => {
    const matching = await matchOf(sql, organization, query);
    return await countAffiliateRows(sql, organization.id, { ...matching, most });
  });
}

/** The affiliates on all pages of the list, each with its state. */
export async function matchAffiliates(
  { database, organization }: Context,
  query: MatchAffiliates,
): Promise<MatchingRows> {
  const most = MAX_COUNTED_ROWS + 1;
  const rows = await listMatchingAffiliates(database, organization.id, {
    ...(await matchOf(database, organization, query)),
    most,
  });
  return matchingRows(rows.map((row) => ({ id: row.id, state: stateOf(row) })));
}

type Home = Pick<Context["organization"], "id" | "currency">;

/** Where an export reads: as the list, and without a limit. */
export function exportSource({
  filter: { text },
  order,
}: {
  filter: AffiliateRowFilter;
  order: AffiliateOrder | null;
}): AffiliateSource {
  if (text?.affiliate_ids != null) return { kind: "rare_text", ids: text.affiliate_ids, order };
  return order === null ? { kind: "all" } : { kind: "figure", order, most: null };
}

/** The filter and the order of all pages of a list, or of an export. */
export async function matchOf(
  sql: Connection,
  organization: Home,
  query: MatchAffiliates,
): Promise<{ filter: AffiliateRowFilter; order: AffiliateOrder | null }> {
  return {
    filter: await affiliateFilter(sql, organization, query),
    order: orderOf(query, organization.currency),
  };
}

async function affiliateFilter(
  sql: Connection,
  { id, currency }: Home,
  { text, state, agreement, campaign_id, tag, tier_id, created_from, created_until, owed }: MatchAffiliates,
): Promise<AffiliateRowFilter> {
  return {
    state,
    agreement,
    campaign_id,
    tag,
    tier_id,
    from_id: created_from && firstIdOf(new Date(created_from)),
    until_id: created_until && firstIdOf(new Date(created_until)),
    text: text === undefined ? undefined : await findText(sql, id, text.trim()),
    owed_in: owed ? currency : undefined,
  };
}

/** The affiliates with a text, or with an id that it begins or ends. */
async function findText(sql: Connection, organization_id: string, typed: string): Promise<AffiliateText> {
  const text = await findAffiliateText(sql, organization_id, typed);
  const by_id = await findByIdText(sql, organization_id, {
    table: "affiliates",
    most: FEW_AFFILIATES,
    ...idTextOf(text.lower),
  });
  if (by_id.length === 0) return text;
  return { ...text, affiliate_ids: [...new Set([...(text.affiliate_ids ?? []), ...by_id])] };
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
      if (rows.length === range.limit || !isLimited(source)) return rows;
      if (source.kind === "newest") continue;
      if (source.kind === "text" || source.most > range.limit) {
        last = await findLastCandidate(database, organization.id, { filter, source, range });
      }
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

function isLimited(source: AffiliateSource): source is LimitedSource {
  return "most" in source && source.most !== null;
}

/** The sources to try, in this order. */
function sourcesOf(
  { text, ...others }: AffiliateRowFilter,
  { order, limit }: { order: AffiliateOrder | null; limit: number },
): AffiliateSource[] {
  const ids = text?.affiliate_ids ?? null;
  if (ids !== null) return [{ kind: "rare_text", ids, order }];
  const is_narrowed = Object.values(others).some((condition) => condition !== undefined);
  if (order !== null) {
    return [{ kind: "figure", order, most: is_narrowed || text !== undefined ? LOOKED_AT : limit }];
  }
  if (text === undefined) return [{ kind: "all" }];
  if (!is_narrowed) return [{ kind: "text", most: limit, searched: SEARCHED }];
  return [
    { kind: "newest", most: LOOKED_AT },
    { kind: "text", most: LOOKED_AT, searched: SEARCHED },
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
    tags: row.tags,
    created_at: row.created_at.toISOString(),
  };
}
