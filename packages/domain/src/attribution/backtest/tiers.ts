import {
  type BacktestTierRow,
  insertBacktestTiers,
  listBacktestTiers,
  listMeasuredDays,
  listPresentBacktestTiers,
  type MeasuredDayRow,
} from "@findersfee/database/attribution/backtest-tiers";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import type { TiersRow } from "@findersfee/database/rows";
import { listReachedTiers } from "@findersfee/database/tiers/evaluations";
import type { OrganizationContext } from "../../context.ts";
import { groupBy } from "../../group-by.ts";
import { measuredPieces } from "../../tiers/period.ts";
import type { TierChanges } from "../facts/stored-fact.ts";
import type { Draft } from "./draft.ts";

/*
 * The tiers that affiliates would have had: as a worker measures them, by the sealed totals until the end of each day. A tier begins
 * with the next day. Commissions count as they were earned, not as the draft would have them.
 */

/** The days that a step of the job measures. */
const DAYS_AT_ONCE = 60;

type Present = Map<string, string | null>;

/** Measures the next days of a backtest, and stores the changes. Returns the last one; null: all days are measured. */
export async function measureDays(
  sql: Transaction,
  organization: OrganizationContext,
  { job_id, draft, tiers, after }: { job_id: string; draft: Draft; tiers: TiersRow; after: string | null },
): Promise<string | null> {
  const all = await listMeasuredDays(sql, organization.id, draft.period);
  const left = after === null ? all : all.filter(({ day }) => day > after);
  const days = left.slice(0, DAYS_AT_ONCE);
  const stored = await listPresentBacktestTiers(sql, organization.id, job_id);
  const present: Present = new Map(stored.map(({ affiliate_id, tier_id }) => [affiliate_id, tier_id]));
  const rows = await measure(sql, organization, { tiers, days, present });
  await insertBacktestTiers(sql, organization.id, { backtest_id: job_id, rows });
  return days.length < left.length ? (days.at(-1)?.day ?? null) : null;
}

/** Measures all days of a draft's period at once, and stores nothing. */
export async function measurePeriod(
  sql: Connection,
  organization: OrganizationContext,
  { campaign, period }: Draft,
): Promise<ReadonlyMap<string, TierChanges>> {
  if (campaign?.tiers == null) return new Map();
  const days = await listMeasuredDays(sql, organization.id, period);
  return changesOf(await measure(sql, organization, { tiers: campaign.tiers, days, present: new Map() }));
}

/** The stored tiers of affiliates. */
export async function findStoredTiers(
  sql: Connection,
  organization_id: string,
  query: { backtest_id: string; affiliate_ids: string[] },
): Promise<ReadonlyMap<string, TierChanges>> {
  return changesOf(await listBacktestTiers(sql, organization_id, query));
}

function changesOf(rows: readonly BacktestTierRow[]): ReadonlyMap<string, TierChanges> {
  return new Map(
    [...groupBy(rows, ({ affiliate_id }) => affiliate_id)].map(([affiliate_id, own]) => [
      affiliate_id,
      own.map(({ since, tier_id }) => ({ since, id: tier_id })),
    ]),
  );
}

/** The changes of all affiliates in these days, oldest first; `present` has them then. */
async function measure(
  sql: Connection,
  { id, currency }: OrganizationContext,
  { tiers, days, present }: { tiers: TiersRow; days: readonly MeasuredDayRow[]; present: Present },
): Promise<BacktestTierRow[]> {
  const changes: BacktestTierRow[] = [];
  for (const { day, since } of days) {
    const pieces = measuredPieces(tiers.period, { day, bonuses_from: null });
    const rows = await listReachedTiers(sql, id, { tiers, currency, pieces });
    const reached = new Map(rows.map(({ affiliate_id, tier_id }) => [affiliate_id, tier_id]));
    for (const affiliate_id of new Set([...reached.keys(), ...present.keys()])) {
      const tier_id = reached.get(affiliate_id) ?? null;
      if (tier_id === (present.get(affiliate_id) ?? null)) continue;
      present.set(affiliate_id, tier_id);
      changes.push({ affiliate_id, since, tier_id });
    }
  }
  return changes;
}
