import type { Database } from "@findersfee/database/connect";
import { isDeadlock } from "@findersfee/database/errors";
import {
  type Creditor,
  finishPayoutRun,
  listCreditors,
  listUnfinishedRuns,
  NO_CREDITOR,
  type PayoutRunRow,
  payCreditor,
} from "@findersfee/database/payout-runs";
import { newId } from "../ids.ts";
import { minimumIn } from "./minimum.ts";

/** Affiliates that are looked up at once. */
const BATCH = 500;
/** Affiliates that are paid at once, each in a transaction of its own. */
const AT_ONCE = 2;

export interface WorkedRun {
  organization_id: string;
  id: string;
  period: string;
  /** Payouts that were made now. */
  payouts: number;
}

/**
 * Goes on with all runs that are not finished, wherever they stand. Whoever was paid in a run is not paid again in
 * it, so it may be worked on by several processes, and be interrupted at any point. `signal` ends it between two
 * affiliates.
 */
export async function workPayoutRuns(database: Database, signal: AbortSignal): Promise<WorkedRun[]> {
  const worked: WorkedRun[] = [];
  for (const { organization_id, ...run } of await listUnfinishedRuns(database)) {
    const payouts = await workRun(database, organization_id, { run, signal });
    if (signal.aborted) break;
    await finishPayoutRun(database, organization_id, run.id);
    worked.push({ organization_id, id: run.id, period: run.period, payouts });
  }
  return worked;
}

async function workRun(
  database: Database,
  organization_id: string,
  { run, signal }: { run: PayoutRunRow; signal: AbortSignal },
): Promise<number> {
  let payouts = 0;
  for (let after = NO_CREDITOR; ; ) {
    const creditors = await listCreditors(database, organization_id, { after, limit: BATCH });
    const next = creditors.values();
    const pay = async () => {
      for (const creditor of next) {
        if (signal.aborted) return;
        if (await payOne(database, organization_id, { run, creditor })) payouts++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, pay));
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH || signal.aborted) return payouts;
    after = last;
  }
}

async function payOne(
  database: Database,
  organization_id: string,
  { run, creditor }: { run: PayoutRunRow; creditor: Creditor },
): Promise<boolean> {
  for (;;) {
    const created_at = new Date();
    try {
      // One statement, and so a transaction of its own.
      return await payCreditor(database, organization_id, {
        creditor,
        run,
        payout_id: newId(created_at),
        minimum_minor: minimumIn(creditor.currency, run),
        created_at,
        by: `payout run ${run.id}`,
      });
    } catch (error) {
      // Postgres ended it for the sake of another one, which is through now.
      if (!isDeadlock(error)) throw error;
    }
  }
}
