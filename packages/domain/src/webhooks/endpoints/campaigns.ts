import { findCampaignIds } from "@findersfee/database/campaigns/campaigns";
import type { Connection } from "@findersfee/database/postgres/connect";
import { requireNoIssues } from "../../errors.ts";

/** Throws `invalid_request` with an issue for each of `campaign_ids` that does not exist in the organization. */
export async function requireCampaigns(
  sql: Connection,
  organizationId: string,
  campaign_ids: readonly string[] | null | undefined,
): Promise<void> {
  if (campaign_ids === null || campaign_ids === undefined) return;
  const known = new Set(await findCampaignIds(sql, organizationId, campaign_ids));
  requireNoIssues(
    campaign_ids.flatMap((id, index) =>
      known.has(id.toLowerCase())
        ? []
        : [{ path: `campaign_ids[${index}]`, message: "There is no campaign with this id." }],
    ),
  );
}
