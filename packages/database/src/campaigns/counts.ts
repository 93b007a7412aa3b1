import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface CampaignCountsRow {
  campaign_id: string;
  affiliates: number;
  waiting: number;
}

const COUNT = statement<CampaignCountsRow, "organization_id" | "campaign_ids" | "most" | "most_waiting">(`
  with waiting as (
    select campaign_id, count(*)::int as count from (
      select campaign_id from affiliates
      where organization_id = :organization_id::uuid and not approved and not banned and declined_at is null
      limit :most_waiting::int
    ) as unapproved
    group by campaign_id
  )
  select campaign_id, affiliates.count as affiliates, coalesce(waiting.count, 0) as waiting
  from unnest(:campaign_ids::uuid[]) as asked (campaign_id)
  cross join lateral (
    select count(*)::int as count from (
      select from affiliates
      where organization_id = :organization_id::uuid and affiliates.campaign_id = asked.campaign_id
      limit :most::int
    ) as counted
  ) as affiliates
  left join waiting using (campaign_id)`);

/**
 * Counts the affiliates of campaigns, up to `most` of each, and those who wait for approval, up to `most_waiting` of all
 * campaigns together.
 */
export async function countCampaignAffiliates(
  sql: Connection,
  organizationId: string,
  counted: { campaign_ids: string[]; most: number; most_waiting: number },
): Promise<CampaignCountsRow[]> {
  return await COUNT.run(sql, { organization_id: organizationId, ...counted });
}
