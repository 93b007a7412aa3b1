import {
  LEADERS,
  type PortalLeaderboard,
  type PortalTierProgress,
  type PortalTiers,
} from "@findersfee/contract/portal/tiers";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { listAffiliateTiers } from "@findersfee/database/tiers/changes";
import { findToday, listRankedAffiliates } from "@findersfee/database/tiers/evaluations";
import { viewNumber, viewTiers } from "../campaigns/tiers/view.ts";
import { DomainError } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { shownName } from "../shown-name.ts";
import { measureNow } from "./measure.ts";
import { measuredPieces } from "./period.ts";

/**
 * An affiliate's tier, the way to the next one, and its place among others, by the sealed totals.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getPortalTiers(database: Database, session: AffiliateSession): Promise<PortalTiers> {
  const affiliate = await findAffiliate(database, session.organization.id, session.affiliate_id);
  if (affiliate === null) throw new DomainError("not_an_affiliate");
  const [progress, leaderboard] = await Promise.all([
    progressOf(database, session, affiliate),
    leaderboardOf(database, session, affiliate),
  ]);
  return { progress, leaderboard };
}

async function progressOf(
  database: Database,
  { organization }: AffiliateSession,
  { id: affiliate_id, campaign }: AffiliateRow,
): Promise<PortalTierProgress | null> {
  const { tiers } = campaign;
  const { currency } = organization;
  const view = viewTiers(tiers, { rules: [], currency });
  if (tiers === null || view === null) return null;
  const [number, [last]] = await Promise.all([
    measureNow(database, organization, { tiers, affiliate_id }),
    listAffiliateTiers(database, organization.id, { affiliate_ids: [affiliate_id], limit: 1 }),
  ]);
  const { measure, period } = tiers;
  return {
    measure,
    period,
    currency,
    number: viewNumber(number, { measure, currency }),
    tier: tiers.steps.find(({ id }) => id === last?.tier_id)?.name ?? null,
    steps: view.steps.map(({ id, name, from, bonus }) => ({ id, name, from, bonus })),
  };
}

/** By customers, in the period of the campaign's tiers or else in this month: amounts of others are theirs. */
async function leaderboardOf(
  database: Database,
  { organization: { id, currency } }: AffiliateSession,
  { id: affiliate_id, campaign }: AffiliateRow,
): Promise<PortalLeaderboard | null> {
  const { leaderboard, tiers } = campaign;
  if (leaderboard === "none") return null;
  const period = tiers?.period ?? "month";
  const day = await findToday(database, id);
  const rows = await listRankedAffiliates(database, id, {
    measure: "customers",
    currency,
    pieces: measuredPieces(period, { day, bonuses_from: null }),
    campaign_id: campaign.id,
    affiliate_id,
    limit: LEADERS,
  });
  return {
    period,
    leaders: rows.map((row) => ({
      rank: Number(row.rank),
      name: shownName(row, leaderboard),
      customers: Number(row.number),
      is_own: row.affiliate_id === affiliate_id,
    })),
  };
}
