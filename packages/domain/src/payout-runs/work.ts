import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isRefusedByLedger } from "@findersfee/database/errors";
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
/** How often what changes while it is paid is tried again. */
const ATTEMPTS = 20;

export interface WorkedRun {
  organization_id: string;
  id: string;
  period: string;
}

/**
 * Goes on with all runs that are not finished, wherever they stand. Whoever was paid in a run is not paid again in
 * it, so it may be worked on by several processes, and be interrupted at any point. `signal` ends it between two
 * affiliates.
 */
export async function workPayoutRuns(database: Database, signal: AbortSignal): Promise<WorkedRun[]> {
  const worked: WorkedRun[] = [];
  for (const { organization_id, ...run } of await listUnfinishedRuns(database)) {
    await workRun(database, organization_id, { run, signal });
    if (signal.aborted) break;
    await finishPayoutRun(database, organization_id, run.id);
    worked.push({ organization_id, id: run.id, period: run.period });
  }
  return worked;
}

async function workRun(
  database: Database,
  organization_id: string,
  { run, signal }: { run: PayoutRunRow; signal: AbortSignal },
): Promise<void> {
  for (let after = NO_CREDITOR; ; ) {
    const creditors = await listCreditors(database, organization_id, { after, limit: BATCH });
    // One after another: whoever uses the API meanwhile would notice more of them, on few cores.
    for (const creditor of creditors) {
      if (signal.aborted) return;
      await pay(database, organization_id, { run, creditor });
    }
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH) return;
    after = last;
  }
}

async function pay(
  database: Database,
  organization_id: string,
  { run, creditor }: { run: PayoutRunRow; creditor: Creditor },
): Promise<void> {
  const minimum_minor = minimumIn(creditor.currency, run);
  for (let attempt = 1; ; attempt++) {
    const made_at = new Date();
    const payable = { ...creditor, minimum_minor, payout_id: newId(made_at), made_at };
    try {
      return await payCreditor(database, organization_id, { run_id: run.id, payable });
    } catch (error) {
      // Something changed meanwhile.
      if (attempt === ATTEMPTS || !(isDeadlock(error) || isRefusedByLedger(error))) throw error;
    }
  }
}
