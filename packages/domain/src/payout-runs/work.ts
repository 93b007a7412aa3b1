import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isRefusedByLedger } from "@findersfee/database/errors";
import {
  type Creditor,
  finishPayoutRun,
  listCreditors,
  listUnfinishedRuns,
  NO_CREDITOR,
  type PayoutRunRow,
  payCreditors,
} from "@findersfee/database/payout-runs";
import { newId } from "../ids.ts";
import { minimumIn } from "./minimum.ts";

/** Affiliates that are looked up at once. */
const BATCH = 500;
/** Affiliates that Postgres pays on one call, each in a transaction of its own. */
const PER_CALL = 10;
/** Calls at once: more of them make no run faster on two cores. */
const AT_ONCE = 2;
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
 * calls.
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
    let place = 0;
    const payNext = async () => {
      while (place < creditors.length && !signal.aborted) {
        const next = creditors.slice(place, place + PER_CALL);
        place += PER_CALL;
        await pay(database, organization_id, { run, creditors: next });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, payNext));
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH || signal.aborted) return;
    after = last;
  }
}

async function pay(
  database: Database,
  organization_id: string,
  { run, creditors }: { run: PayoutRunRow; creditors: readonly Creditor[] },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const made_at = new Date();
    const payables = creditors.map((creditor) => ({
      ...creditor,
      minimum_minor: minimumIn(creditor.currency, run),
      payout_id: newId(made_at),
    }));
    try {
      return await payCreditors(database, organization_id, { run_id: run.id, payables, made_at });
    } catch (error) {
      // Something changed meanwhile. Those before it in the call were paid, and are passed over now.
      if (attempt === ATTEMPTS || !(isDeadlock(error) || isRefusedByLedger(error))) throw error;
    }
  }
}
