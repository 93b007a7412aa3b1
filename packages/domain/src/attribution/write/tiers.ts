import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { listAffiliateTiers } from "@findersfee/database/tiers/changes";
import { groupBy } from "../../group-by.ts";
import type { TierChanges } from "../facts/stored-fact.ts";

/** Of one affiliate: a tier changes a few times in a month. Older payments have none. */
const MAX_CHANGES = 500;

/** Reads the tier changes of the affiliates in a campaign with tiers. */
export async function loadTiers(
  sql: Connection,
  organization_id: string,
  affiliates: readonly AffiliateRow[],
): Promise<(affiliate_id: string) => TierChanges> {
  const affiliate_ids = affiliates.filter(({ campaign }) => campaign.tiers !== null).map(({ id }) => id);
  if (affiliate_ids.length === 0) return () => [];
  const rows = await listAffiliateTiers(sql, organization_id, { affiliate_ids, limit: MAX_CHANGES });
  const changes = groupBy(rows.reverse(), ({ affiliate_id }) => affiliate_id);
  return (id) => (changes.get(id) ?? []).map(({ since, tier_id }) => ({ since, id: tier_id }));
}
