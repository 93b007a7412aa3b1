import type { Affiliate, ListAffiliates } from "@findersfee/contract/affiliates/affiliates";
import type { Page } from "@findersfee/contract/pages";
import { countAffiliates, listAffiliates as listRows } from "@findersfee/database/affiliates/affiliates";
import { hasTier } from "@findersfee/database/affiliates/of-tier";
import { getCampaign } from "../campaigns/get.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { readPage, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { viewAffiliate } from "./view.ts";

/** Affiliates, newest first. Errors: `not_found` when nothing matches and the named campaign, recruiter or tier does not exist. */
export async function listAffiliates(context: Context, query: ListAffiliates): Promise<Page<Affiliate>> {
  const { database, organization } = context;
  const { page: _page, limit: _limit, cursor: _cursor, ...filter } = query;
  const page = await readPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    count: () => countAffiliates(database, organization.id, filter),
    view: (row) => viewAffiliate(row, organization.currency),
  });
  const { campaign_id, recruited_by, tier_id } = query;
  await requireNamed(page, [
    ...(campaign_id === undefined ? [] : [() => getCampaign(context, campaign_id)]),
    ...(recruited_by === undefined ? [] : [() => requireAffiliate(context, recruited_by)]),
    ...(tier_id === undefined ? [] : [() => requireTier(context, tier_id)]),
  ]);
  return page;
}

/** Errors: `not_found` if no campaign has the tier, and no affiliate had it. */
async function requireTier({ database, organization }: Context, tier_id: string): Promise<void> {
  if (!(await hasTier(database, organization.id, tier_id))) throw notFound("tier");
}
