import { type Database, transaction } from "@findersfee/database/connect";
import { isOutage } from "@findersfee/database/errors";
import type { ShardOwner } from "@findersfee/database/shards";
import { lockDueTotalSeal, postponeTotals, type TotalSealRow } from "@findersfee/database/totals/seals";
import { RETRY_DELAYS, repeatedDelay } from "../work/retry-delays.ts";
import { sumUp } from "./sum-up.ts";

/**
 * Adds the hours of an organization that are over to its totals, with the changes of earlier ones, in one transaction;
 * after a change of its time zone, sums up all of them again. False: nothing was due.
 *
 * @throws the error of a turn, after the next one was postponed
 */
export async function sealTotals(
  database: Database,
  organization_id: string,
  owner: ShardOwner,
): Promise<boolean> {
  let seal: TotalSealRow | null = null;
  try {
    return await transaction(database, async (sql) => {
      seal = await lockDueTotalSeal(sql, organization_id, owner);
      if (seal === null) return false;
      const is_new = seal.is_outdated || seal.time_zone !== seal.sealed_time_zone;
      await sumUp(sql, organization_id, { seal, is_new });
      return true;
    });
  } catch (error) {
    if (seal !== null && !isOutage(error)) {
      const seconds = repeatedDelay(RETRY_DELAYS.totals, (seal as TotalSealRow).failures);
      await postponeTotals(database, organization_id, {
        owner,
        seconds,
        reason: String(error).slice(0, 500),
      });
    }
    throw error;
  }
}
