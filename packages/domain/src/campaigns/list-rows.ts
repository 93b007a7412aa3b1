import {
  type CampaignRows,
  MAX_COUNTED_AFFILIATES,
  MAX_COUNTED_WAITING,
  MAX_LISTED_CAMPAIGNS,
} from "@findersfee/contract/campaigns/editing";
import { listCampaigns } from "@findersfee/database/campaigns/campaigns";
import { countCampaignAffiliates } from "@findersfee/database/campaigns/counts";
import { sumCampaignRevenue } from "@findersfee/database/reports/totals/campaigns";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";
import { viewRuledCampaign } from "./view.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const DAYS = 30;

/** The newest campaigns with their figures, in three statements. */
export async function listCampaignRows({ database, organization }: Context): Promise<CampaignRows> {
  const range = { below: null, offset: 0, limit: MAX_LISTED_CAMPAIGNS + 1 };
  const dayOf = (days: number) => new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
  const [rows, revenues] = await Promise.all([
    listCampaigns(database, organization.id, range),
    // Until the day after tomorrow, which has begun in no time zone.
    sumCampaignRevenue(database, organization.id, { from: dayOf(-DAYS), until: dayOf(2) }),
  ]);
  const listed = rows.slice(0, MAX_LISTED_CAMPAIGNS);
  const counts = await countCampaignAffiliates(database, organization.id, {
    campaign_ids: listed.map(({ id }) => id),
    most: MAX_COUNTED_AFFILIATES,
    most_waiting: MAX_COUNTED_WAITING,
  });
  const countOf = new Map(counts.map((row) => [row.campaign_id, row]));
  return {
    campaigns: listed.map((row) => ({
      campaign: viewRuledCampaign(row, organization.currency),
      affiliates: countOf.get(row.id)?.affiliates ?? 0,
      waiting: countOf.get(row.id)?.waiting ?? 0,
      revenue: revenues
        .filter(({ campaign_id }) => campaign_id === row.id)
        .map(({ currency, revenue_minor }) => ({ currency, amount: toMajor(revenue_minor, currency) })),
    })),
    has_more: rows.length > listed.length,
  };
}
