import type { Issue } from "@findersfee/contract/errors";
import type { RecruitValues } from "@findersfee/database/affiliates/affiliates";
import type { AffiliateRow, CampaignRow } from "@findersfee/database/rows";

/**
 * The terms for an affiliate who recruits a new one of a campaign: the campaign's current terms. Null: the
 * campaign pays nothing for recruits, or the recruiter is none of its approved affiliates.
 */
export function recruitOf(recruiter: AffiliateRow | null, campaign: CampaignRow): RecruitValues | null {
  const { recruiting_rate, recruiting_months } = campaign;
  if (recruiter === null || recruiting_rate === null || recruiting_months === null) return null;
  if (recruiter.campaign.id !== campaign.id || !recruiter.approved || recruiter.banned) return null;
  return { recruited_by: recruiter.id, recruiting_rate, recruiting_months };
}

/** Why an affiliate cannot recruit one of a campaign. */
export function recruitIssues(recruiter: AffiliateRow | null, campaign: CampaignRow): Issue[] {
  if (recruitOf(recruiter, campaign) !== null) return [];
  const message =
    campaign.recruiting_rate === null
      ? "The campaign pays nothing for recruits."
      : "Must be an approved affiliate of the campaign who is not banned.";
  return [{ path: "recruited_by", message }];
}
