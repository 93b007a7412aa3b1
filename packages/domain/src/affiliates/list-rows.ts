import {
  type AffiliateListRow,
  type AffiliateState,
  type ListAffiliateRows,
  MAX_COUNTED_REFERRALS,
} from "@findersfee/contract/affiliate-rows";
import type { RowPage } from "@findersfee/contract/row-pages";
import {
  type AffiliateBalanceRow,
  type AffiliateRowFilter,
  hasFewTextMatches,
  type AffiliateListRow as ListRow,
  listBalancesOf,
  listAffiliateRows as listRows,
} from "@findersfee/database/affiliate-rows";
import { findCampaign } from "@findersfee/database/campaigns";
import type { Connection } from "@findersfee/database/connect";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import { toMajor } from "../money.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";

/** Up to this many matches of a text are read and sorted; more are found soon by reading the list from its start. */
const FEW = 10_000;

/**
 * The dashboard's list of affiliates, newest first. Errors: `not_found` when nothing matches and the named campaign does not
 * exist.
 */
export async function listAffiliateRows(
  context: Context,
  query: ListAffiliateRows,
): Promise<RowPage<AffiliateListRow>> {
  const { database, organization } = context;
  const filter = await affiliateFilter(database, organization.id, query);
  const page = await readRowPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range, most: MAX_COUNTED_REFERRALS }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: (row) => row,
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

export type AffiliateListFilter = Omit<ListAffiliateRows, "limit" | "after" | "before">;

/** The filter of the list, with the plan for its text. */
export async function affiliateFilter(
  sql: Connection,
  organization_id: string,
  { text, state, campaign_id, created_from }: AffiliateListFilter,
): Promise<AffiliateRowFilter> {
  const from_id = created_from && firstIdOf(new Date(created_from));
  const filter: AffiliateRowFilter = { state, campaign_id, from_id };
  if (text === undefined) return filter;
  const prefix = text.trim();
  const few = await hasFewTextMatches(sql, organization_id, { prefix, most: FEW });
  return { ...filter, text: { prefix, few } };
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
    code: row.code,
    clicks: Number(row.clicks),
    referrals: row.referrals,
    converted: row.converted,
    balances: balances.map(({ currency, earned_minor, unpaid_minor, held_minor }) => ({
      currency,
      earned: toMajor(earned_minor, currency),
      due: toMajor(unpaid_minor - held_minor, currency),
    })),
    created_at: row.created_at.toISOString(),
  };
}

export function stateOf({ approved, banned }: Pick<ListRow, "approved" | "banned">): AffiliateState {
  if (banned) return "banned";
  return approved ? "active" : "waiting";
}
