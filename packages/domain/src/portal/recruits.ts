import { MAX_RECRUITS, type PortalRecruits } from "@findersfee/contract/portal/recruits";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listRecruits } from "@findersfee/database/affiliates/recruits";
import { findPortalSettings } from "@findersfee/database/portal/looks";
import type { Database } from "@findersfee/database/postgres/connect";
import { viewRecruiting } from "../campaigns/view.ts";
import { DomainError } from "../errors.ts";
import { toMajor, toPercent } from "../money.ts";
import type { AffiliateSession } from "../principal.ts";
import { nameOfRecruit } from "../shown-name.ts";

/**
 * The affiliate's link for recruits, its share of their commissions, and its recruits with its earnings from
 * each.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getPortalRecruits(
  database: Database,
  { affiliate_id, organization: { id } }: AffiliateSession,
): Promise<PortalRecruits> {
  const [row, settings, recruits] = await Promise.all([
    findAffiliate(database, id, affiliate_id),
    findPortalSettings(database, id),
    listRecruits(database, id, { recruiter_id: affiliate_id, limit: MAX_RECRUITS }),
  ]);
  if (row === null || settings === null) throw new DomainError("not_an_affiliate");
  const { campaign } = row;
  const code = row.codes.find(({ kind }) => kind === "link")?.code ?? null;
  const terms = viewRecruiting(campaign);
  const can_join = terms !== null && code !== null && campaign.joining !== "closed";
  return {
    terms,
    join_path: can_join
      ? `portal/${settings.slug}/${campaign.id}/join?ref=${encodeURIComponent(code)}`
      : null,
    recruits: recruits.map((recruit) => ({
      id: recruit.id,
      name: nameOfRecruit(recruit, campaign.leaderboard),
      percent: toPercent(recruit.recruiting_rate),
      created_at: recruit.created_at.toISOString(),
      until: recruit.recruited_until.toISOString(),
      earned: recruit.sums.map(({ currency, commission_minor }) => ({
        currency,
        amount: toMajor(BigInt(commission_minor), currency),
      })),
    })),
  };
}
