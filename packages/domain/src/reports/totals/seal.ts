import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import {
  lockDueTotalSeal,
  postponeTotals,
  type TotalSealRow,
} from "@findersfee/database/reports/totals/seals";
import type { ShardOwner } from "@findersfee/database/work/shards";
import { RETRY_DELAYS, repeatedDelay } from "../../work/retry-delays.ts";
import { takeTotalStep } from "./step.ts";

export interface SealTurn {
  owner: ShardOwner;
  /** The limit of rows of each table in a turn; one hour can have more. */
  rows?: number;
}

/**
 * One turn of an organization's totals, in one transaction: adds the hours that are over, with the changes of earlier ones.
 * After a change of its time zone, the turns sum up all rows again. `none`: nothing was due.
 *
 * @throws the error of a turn, after the next one was postponed
 */
export async function sealTotals(
  database: Database,
  organization_id: string,
  { owner, ...options }: SealTurn,
): Promise<"none" | "more" | "last"> {
  let seal: TotalSealRow | null = null;
  try {
    return await transaction(database, async (sql) => {
      seal = await lockDueTotalSeal(sql, organization_id, owner);
      if (seal === null) return "none";
      return (await takeTotalStep(sql, organization_id, { seal, ...options })) ? "more" : "last";
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
