import type { Transaction } from "@findersfee/database/postgres/connect";
import {
  beginRebuild,
  clearFormerTotals,
  findCopiedPartEnd,
  findPartEnd,
  findRebuild,
  finishRebuild,
  hasLostClicks,
  sumPart,
  type TotalRebuildRow,
} from "@findersfee/database/reports/totals/rebuilds";
import { sealTotals, type TotalSealRow } from "@findersfee/database/reports/totals/seals";
import { countDeliveryHour } from "@findersfee/database/webhooks/delivery-hours";

/** Rows of each table that a step reads or deletes: seconds of work, since their totals are arrays that are written again. */
const ROWS = 25_000;

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** Hours of deliveries that are kept: a histogram shows a week. */
const KEPT_HOURS = 8 * 24;

export interface TotalStep {
  /** The seal of the organization, which is locked. */
  seal: TotalSealRow;
  /** The limit of rows of each table; one hour can have more. */
  rows?: number;
}

/**
 * Does the next step of an organization's totals: a part of a rebuild, deleting some of the totals that it replaced, counting
 * the deliveries of an hour, or sealing hours that are over. True: there are more.
 */
export async function takeTotalStep(
  sql: Transaction,
  organization_id: string,
  { seal, rows = ROWS }: TotalStep,
): Promise<boolean> {
  const { until, time_zone, generation } = seal;
  let rebuild = await findRebuild(sql, organization_id);
  if (rebuild === null ? seal.is_outdated : rebuild.time_zone !== time_zone) {
    rebuild = await beginRebuild(sql, organization_id, { until, time_zone });
  }
  if (rebuild !== null) {
    await takePart(sql, organization_id, { seal, rebuild, rows });
    return true;
  }
  if ((await clearFormerTotals(sql, organization_id, { generation, rows })) > 0) return true;
  if (await countDeliveries(sql, organization_id, seal)) return true;
  const { sealed_until: from } = seal;
  const end = await findPartEnd(sql, organization_id, { from, until, rows });
  await sealTotals(sql, organization_id, { from, until: end, time_zone, generation });
  return end < until;
}

/** Counts the deliveries of the next hour that is over. True: there are more hours. */
async function countDeliveries(
  sql: Transaction,
  organization_id: string,
  { deliveries_until: from, countable_until }: TotalSealRow,
): Promise<boolean> {
  if (from >= countable_until) return false;
  const until = new Date(from.getTime() + HOUR_MILLISECONDS);
  const kept_from = new Date(until.getTime() - KEPT_HOURS * HOUR_MILLISECONDS);
  await countDeliveryHour(sql, organization_id, { from, until, kept_from });
  return until < countable_until;
}

async function takePart(
  sql: Transaction,
  organization_id: string,
  { seal, rebuild, rows }: Required<TotalStep> & { rebuild: TotalRebuildRow },
): Promise<void> {
  const { generation, sealed_until, sealed_time_zone } = seal;
  const { summed_until: from, until: recorded_until } = rebuild;
  const until = await findCopiedPartEnd(sql, organization_id, {
    from,
    until: recorded_until,
    rows,
    generation,
  });
  await sumPart(sql, organization_id, {
    from,
    until,
    recorded_until,
    new_generation: rebuild.generation,
    new_time_zone: rebuild.time_zone,
    sealed_until,
    generation,
    time_zone: sealed_time_zone,
  });
  if (await hasLostClicks(sql, organization_id, from)) {
    await beginRebuild(sql, organization_id, { until: seal.until, time_zone: seal.time_zone });
  } else if (until.getTime() === recorded_until.getTime()) {
    await finishRebuild(sql, organization_id);
  }
}
