import type { Connection, Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { TiersRow } from "../rows.ts";

/** A change of an affiliate's tier, which counts until the next one. */
export interface AffiliateTierRow {
  affiliate_id: string;
  since: Date;
  campaign_id: string;
  /** Null: no tier. */
  tier_id: string | null;
  /** As it was called then. */
  tier_name: string | null;
  /** The measure until the end of the day: customers, or minor units of the organization's currency. */
  measure: TiersRow["measure"];
  number: bigint;
  measured_on: string;
}

const LIST = statement<AffiliateTierRow, "organization_id" | "affiliate_ids" | "limit">(`
  select change.* from unnest(:affiliate_ids::uuid[]) as affiliate (id)
  cross join lateral (
    select affiliate_id, since, campaign_id, tier_id, tier_name, measure, number, measured_on::text as measured_on
    from affiliate_tiers
    where organization_id = :organization_id::uuid and affiliate_id = affiliate.id
    order by since desc limit :limit::int
  ) as change
  order by change.affiliate_id, change.since desc`);

/** Returns the newest changes of some affiliates' tiers, at most `limit` of each, newest first. */
export async function listAffiliateTiers(
  sql: Connection,
  organizationId: string,
  { affiliate_ids, limit }: { affiliate_ids: string[]; limit: number },
): Promise<AffiliateTierRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, affiliate_ids, limit });
}

const INSERT = statement<object, "organization_id" | keyof AffiliateTierRow>(`
  insert into affiliate_tiers (organization_id, affiliate_id, since, campaign_id, tier_id, tier_name, measure, number,
    measured_on)
  values (:organization_id::uuid, :affiliate_id::uuid, :since::timestamptz, :campaign_id::uuid, :tier_id::uuid,
    :tier_name::text, :measure::text, :number::bigint, :measured_on::text::date)`);

/** Stores a change, which is newer than all others of the affiliate. */
export async function insertAffiliateTier(
  sql: Transaction,
  organizationId: string,
  change: AffiliateTierRow,
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, ...change });
}

/** A bonus, in the period that begins on a day. */
export interface TierBonusKey {
  affiliate_id: string;
  tier_id: string;
  period_start: string;
}

const FIND_BONUS = statement<{ adjustment_id: string }, "organization_id" | keyof TierBonusKey>(`
  select adjustment_id from tier_bonuses
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid and tier_id = :tier_id::uuid
    and period_start = :period_start::text::date`);

/** Whether the affiliate has the bonus. */
export async function hasTierBonus(
  sql: Transaction,
  organizationId: string,
  key: TierBonusKey,
): Promise<boolean> {
  return (await FIND_BONUS.run(sql, { organization_id: organizationId, ...key })).length > 0;
}

const INSERT_BONUS = statement<object, "organization_id" | keyof TierBonusKey | "adjustment_id">(`
  insert into tier_bonuses (organization_id, affiliate_id, tier_id, period_start, adjustment_id)
  values (:organization_id::uuid, :affiliate_id::uuid, :tier_id::uuid, :period_start::text::date, :adjustment_id::uuid)`);

/** Records that an adjustment is the bonus. Postgres refuses a second one. */
export async function insertTierBonus(
  sql: Transaction,
  organizationId: string,
  bonus: TierBonusKey & { adjustment_id: string },
): Promise<void> {
  await INSERT_BONUS.run(sql, { organization_id: organizationId, ...bonus });
}
