import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import type { Page, PageQuery } from "@findersfee/contract/pages";
import { countCampaigns, listCampaigns as listRows } from "@findersfee/database/campaigns/campaigns";
import type { Context } from "../context.ts";
import { readPage } from "../pages.ts";
import { viewRuledCampaign } from "./view.ts";

/** Campaigns, newest first. */
export async function listCampaigns(
  { database, organization }: Context,
  query: PageQuery,
): Promise<Page<Campaign>> {
  return await readPage(query, {
    read: (range) => listRows(database, organization.id, range),
    count: () => countCampaigns(database, organization.id),
    view: (row) => viewRuledCampaign(row, organization.currency),
  });
}
