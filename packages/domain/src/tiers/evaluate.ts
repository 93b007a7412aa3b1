import { findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import type { AffiliateRow } from "@findersfee/database/rows";
import {
  type AffiliateTierRow,
  hasTierBonus,
  insertAffiliateTier,
  insertTierBonus,
  listAffiliateTiers,
} from "@findersfee/database/tiers/changes";
import {
  awaitSealedDay,
  completeTierEvaluation,
  findDueTierEvaluation,
  listTierChanges,
  lockTierEvaluation,
  postponeTierEvaluation,
  type TierChangeRow,
  type TierEvaluationRow,
} from "@findersfee/database/tiers/evaluations";
import type { ShardOwner } from "@findersfee/database/work/shards";
import { viewAffiliateEvent } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { insertAdjustmentWithin } from "../ledger/adjustments/create.ts";
import { serializeEvent } from "../webhooks/events/data.ts";
import { recordEvent } from "../webhooks/events/record.ts";
import { RETRY_DELAYS, repeatedDelay } from "../work/retry-delays.ts";
import { bonusPeriodOf, measuredPieces } from "./period.ts";
import { viewTierChange } from "./view.ts";

/** Affiliates of one turn, each in a transaction of its own. */
const BATCH = 100;
/** Days are sealed two hours after they end, or when a rebuild is done. */
const WAIT_SECONDS = 600;

export interface TierTurn {
  owner: ShardOwner;
  /** Ends it between two affiliates. */
  signal: AbortSignal;
  /** The most affiliates that it changes. */
  limit?: number;
}

export interface EvaluatedTiers {
  /** Affiliates who got another tier, or a bonus. */
  changed: number;
  failed: number;
  has_more: boolean;
}

/**
 * One turn of an organization's tiers: measures the affiliates of a campaign by the sealed totals until the end of a day, and stores the
 * tiers and bonuses of some who have others now. It may be interrupted at any point: an affiliate who has them is not found again, and
 * gets each bonus once in its period.
 */
export async function evaluateTiers(
  database: Database,
  organization_id: string,
  { owner, signal, limit = BATCH }: TierTurn,
): Promise<EvaluatedTiers> {
  const result = { changed: 0, failed: 0, has_more: false };
  const evaluation = await findDueTierEvaluation(database, organization_id, owner);
  const organization = evaluation === null ? null : await findOrganization(database, organization_id);
  if (evaluation === null || organization === null) return result;
  const { campaign_id, version, day, failures } = evaluation;
  if (!evaluation.is_sealed) {
    await awaitSealedDay(database, organization_id, { campaign_id, seconds: WAIT_SECONDS, owner });
    return { ...result, has_more: true };
  }
  const context: Context = {
    database,
    organization,
    actor: { kind: "automatic", name: "tier bonus" },
    idempotency: null,
    notifyWorkers: () => {},
  };
  try {
    const changes = await listChanges(context, evaluation, limit);
    for (const change of changes) {
      if (signal.aborted) return result;
      const applied = await apply(context, { evaluation, change, owner });
      if (applied === "not_due") return { ...result, has_more: true };
      if (applied === "changed") result.changed += 1;
    }
    if (changes.length < limit)
      await completeTierEvaluation(database, organization_id, { campaign_id, version, day, owner });
    return { ...result, has_more: true };
  } catch (error) {
    if (isOutage(error)) throw error;
    const seconds = repeatedDelay(RETRY_DELAYS.tiers, failures);
    const reason = String(error).slice(0, 500);
    await postponeTierEvaluation(database, organization_id, { campaign_id, seconds, reason, owner });
    return { ...result, failed: 1 };
  }
}

async function listChanges(
  { database, organization: { id, currency } }: Context,
  { campaign_id, tiers, day, bonuses_from }: TierEvaluationRow,
  limit: number,
): Promise<TierChangeRow[]> {
  const pieces = measuredPieces(tiers.period, { day, bonuses_from });
  const period_start = bonusPeriodOf(tiers.period, day);
  return await listTierChanges(database, id, { campaign_id, tiers, currency, pieces, period_start, limit });
}

interface Applied {
  evaluation: TierEvaluationRow;
  change: TierChangeRow;
  owner: ShardOwner;
}

/**
 * - `not_due`: another worker has the organization's shard, the tiers changed, or the evaluation is due at another time, so that this turn
 *   ends without completing it.
 * - `unchanged`: the affiliate no longer takes part.
 */
async function apply(
  context: Context,
  { evaluation, change, owner }: Applied,
): Promise<"changed" | "unchanged" | "not_due"> {
  const { database, organization } = context;
  const { campaign_id, version, day, tiers } = evaluation;
  const { affiliate_id } = change;
  return await transaction(database, async (sql) => {
    if (!(await lockTierEvaluation(sql, organization.id, { campaign_id, version, owner }))) return "not_due";
    await lockAffiliate(sql, organization.id, affiliate_id);
    const affiliate = await findAffiliate(sql, organization.id, affiliate_id);
    if (affiliate === null || affiliate.erased_at !== null || affiliate.banned) return "unchanged";
    if (affiliate.campaign.id !== campaign_id) return "unchanged";
    const { tier_id, tier_name, number } = change;
    const changed = {
      affiliate_id,
      campaign_id,
      tier_id,
      tier_name,
      measure: tiers.measure,
      number,
      measured_on: day,
    };
    if (change.is_changed) await storeChange(sql, context, { affiliate, change: changed });
    for (const step of change.bonuses) await payBonus(sql, context, { evaluation, affiliate_id, step });
    return "changed";
  });
}

/**
 * Records `affiliate.tier_changed`. The affiliate is locked, so nothing else stores a change at the same
 * time.
 */
async function storeChange(
  sql: Transaction,
  { organization: { id: organization_id, currency } }: Context,
  { affiliate, change }: { affiliate: AffiliateRow; change: Omit<AffiliateTierRow, "since"> },
): Promise<void> {
  const affiliate_ids = [change.affiliate_id];
  const [last] = await listAffiliateTiers(sql, organization_id, { affiliate_ids, limit: 1 });
  if (last?.tier_id === change.tier_id && last.campaign_id === change.campaign_id) return;
  const now = Date.now();
  // Clocks of workers differ.
  const since = new Date(last === undefined ? now : Math.max(now, last.since.getTime() + 1));
  await insertAffiliateTier(sql, organization_id, { ...change, since });
  const has_former = last !== undefined && last.tier_id !== null && last.campaign_id === change.campaign_id;
  const data = {
    ...viewAffiliateEvent(affiliate, currency),
    tier: viewTierChange({ ...change, since }, currency),
    former_tier: has_former ? { id: last.tier_id, name: last.tier_name } : null,
  };
  await recordEvent(sql, organization_id, serializeEvent("affiliate.tier_changed", data, since));
}

async function payBonus(
  sql: Transaction,
  context: Context,
  { evaluation, affiliate_id, step }: { evaluation: TierEvaluationRow; affiliate_id: string; step: string },
): Promise<void> {
  const { organization } = context;
  const { tiers, day } = evaluation;
  const reached = tiers.steps.find(({ id }) => id === step);
  const key = { affiliate_id, tier_id: step, period_start: bonusPeriodOf(tiers.period, day) };
  if (reached === undefined || reached.bonus === null || (await hasTierBonus(sql, organization.id, key)))
    return;
  const [year, month] = day.split("-");
  const { id: adjustment_id } = await insertAdjustmentWithin(sql, context, {
    affiliate_id,
    currency: organization.currency,
    amount_minor: BigInt(reached.bonus),
    reason: tiers.period === "month" ? `Bonus: ${reached.name} (${month}/${year})` : `Bonus: ${reached.name}`,
    commission_id: null,
  });
  await insertTierBonus(sql, organization.id, { ...key, adjustment_id });
}
