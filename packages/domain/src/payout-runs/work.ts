import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isOfRows, isOutage, isRefusedByLedger, isTimeLimit } from "@findersfee/database/errors";
import {
  type Creditor,
  findPayoutRun,
  finishPayoutRun,
  listCreditors,
  listUnfinishedRuns,
  NO_CREDITOR,
  type PayoutRunRow,
  payCreditor,
  payCreditors,
} from "@findersfee/database/payout-runs";
import { newId } from "../ids.ts";
import { minimumIn } from "./minimum.ts";

/** Affiliates that are looked up at once. */
const BATCH = 500;
/** Of those, so many are paid by one call. One call after another: on few cores whoever uses the API would notice more. */
const AT_ONCE = 5;
/** More than so many are no damage to somebody's rows. */
const MOST_REFUSED = 1_000;
/** How often what changes while it is paid is tried again. */
const ATTEMPTS = 20;

export interface WorkedRun {
  organization_id: string;
  id: string;
  period: string;
}

export interface RefusedPayout extends Creditor {
  organization_id: string;
  run_id: string;
  error: unknown;
}

export interface Told {
  onFinished?: (run: WorkedRun) => void;
  onRefused?: (refused: RefusedPayout) => void;
}

/**
 * Goes on with all runs that are not finished, wherever they stand, and tells of those that are then. Whoever was paid
 * in a run is not paid again in it, so it may be worked on by several processes, and be interrupted at any point.
 * `signal` ends it between two calls. Whose rows are such that Postgres refuses the payout is told of, and left to the
 * next run: nobody else waits for that.
 *
 * @throws AggregateError of the runs that are to be gone on with, and why
 */
export async function workPayoutRuns(
  database: Database,
  signal: AbortSignal,
  { onFinished = () => {}, onRefused = () => {} }: Told = {},
): Promise<void> {
  const failed: Error[] = [];
  for (const { organization_id, ...run } of await listUnfinishedRuns(database)) {
    const { id, period } = run;
    try {
      const tell = (one: Creditor, error: unknown) =>
        onRefused({ organization_id, run_id: id, ...one, error });
      await workRun(database, organization_id, { run, signal, tell });
      if (signal.aborted) break;
      await finishPayoutRun(database, organization_id, id);
      onFinished({ organization_id, id, period });
    } catch (error) {
      if (isOutage(error)) throw error;
      failed.push(new Error(`Payout run ${id} is not finished: ${error}`, { cause: error }));
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join("; "));
}

interface Work {
  run: PayoutRunRow;
  signal: AbortSignal;
  /** Called with whom Postgres refused to pay. */
  tell: (creditor: Creditor, error: unknown) => void;
}

async function workRun(database: Database, organization_id: string, work: Work): Promise<void> {
  let refused = 0;
  for (let after = NO_CREDITOR; ; ) {
    const creditors = await listCreditors(database, organization_id, { after, limit: BATCH });
    for (let place = 0; place < creditors.length; place += AT_ONCE) {
      if (work.signal.aborted) return;
      refused += await paySome(database, organization_id, {
        ...work,
        creditors: creditors.slice(place, place + AT_ONCE),
      });
      if (refused > MOST_REFUSED) throw new Error(`${refused} affiliates were refused`);
    }
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH) break;
    after = last;
  }
  if (refused === 0) return;
  const paid = await findPayoutRun(database, organization_id, { id: work.run.id });
  // No damage to somebody's rows, then, but something that the next run would find, too.
  if (paid === null || paid.payouts < refused) throw new Error(`${refused} affiliates were refused`);
}

/** By one call, or, where somebody's rows do not allow it, by one for each. Returns how many were refused. */
async function paySome(
  database: Database,
  organization_id: string,
  { run, tell, creditors }: Omit<Work, "signal"> & { creditors: readonly Creditor[] },
): Promise<number> {
  const made_at = momentOf(run);
  const payables = creditors.map((creditor) => payableOf(creditor, { run, made_at }));
  try {
    await payCreditors(database, organization_id, { run_id: run.id, payables, made_at });
    return 0;
  } catch (error) {
    if (!isOfOne(error)) throw error;
  }
  let refused = 0;
  for (const creditor of creditors) {
    try {
      await pay(database, organization_id, { run, creditor });
    } catch (error) {
      if (!isOfOne(error)) throw error;
      refused += 1;
      tell(creditor, error);
    }
  }
  return refused;
}

/** Whether another affiliate may be paid all the same. */
function isOfOne(error: unknown): boolean {
  return isOfRows(error) || isDeadlock(error) || isTimeLimit(error);
}

async function pay(
  database: Database,
  organization_id: string,
  { run, creditor }: { run: PayoutRunRow; creditor: Creditor },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const made_at = momentOf(run);
    const payable = { ...payableOf(creditor, { run, made_at }), made_at };
    try {
      return await payCreditor(database, organization_id, { run_id: run.id, payable });
    } catch (error) {
      // Something changed meanwhile.
      if (attempt === ATTEMPTS || !(isDeadlock(error) || isRefusedByLedger(error))) throw error;
    }
  }
}

/** When a payout is made: not before what is in it, whatever this machine's clock says. */
function momentOf({ cutoff_at }: PayoutRunRow): Date {
  return new Date(Math.max(Date.now(), cutoff_at.getTime()));
}

function payableOf(creditor: Creditor, { run, made_at }: { run: PayoutRunRow; made_at: Date }) {
  return {
    ...creditor,
    minimum_minor: minimumIn(creditor.currency, run.minimum_payouts),
    payout_id: newId(made_at),
  };
}
