import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isOfRows, isRefusedByLedger } from "@findersfee/database/errors";
import {
  type Creditor,
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
/** How often what changes while it is paid is tried again. */
const ATTEMPTS = 20;

export interface WorkedRun {
  organization_id: string;
  id: string;
  period: string;
}

/**
 * Goes on with all runs that are not finished, wherever they stand, and tells of those that are then. Whoever was paid
 * in a run is not paid again in it, so it may be worked on by several processes, and be interrupted at any point.
 * `signal` ends it between two calls. Whose rows are such that Postgres refuses the payout keeps nobody else waiting.
 *
 * @throws AggregateError of the runs that are to be gone on with, and why
 */
export async function workPayoutRuns(
  database: Database,
  signal: AbortSignal,
  onFinished: (run: WorkedRun) => void = () => {},
): Promise<void> {
  const failed: Error[] = [];
  for (const { organization_id, ...run } of await listUnfinishedRuns(database)) {
    const refusals = await workRun(database, organization_id, { run, signal });
    if (refusals.count > 0) failed.push(failure(run, refusals));
    if (signal.aborted) break;
    if (refusals.count > 0) continue;
    await finishPayoutRun(database, organization_id, run.id);
    onFinished({ organization_id, id: run.id, period: run.period });
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join("; "));
}

/** How many Postgres refused to pay, and the first of them. */
interface Refusals {
  count: number;
  first: { affiliate_id: string; error: unknown } | null;
}

function failure(run: PayoutRunRow, { count, first }: Refusals): Error {
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const message = `Payout run ${run.id} could not pay affiliate ${first?.affiliate_id}${more}`;
  return new Error(message, { cause: first?.error });
}

async function workRun(
  database: Database,
  organization_id: string,
  { run, signal }: { run: PayoutRunRow; signal: AbortSignal },
): Promise<Refusals> {
  const refusals: Refusals = { count: 0, first: null };
  for (let after = NO_CREDITOR; ; ) {
    const creditors = await listCreditors(database, organization_id, { after, limit: BATCH });
    for (let place = 0; place < creditors.length; place += AT_ONCE) {
      if (signal.aborted) return refusals;
      const some = creditors.slice(place, place + AT_ONCE);
      await paySome(database, organization_id, { run, creditors: some, refusals });
    }
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH) return refusals;
    after = last;
  }
}

/** By one call, or, where somebody's rows do not allow it, by one for each. */
async function paySome(
  database: Database,
  organization_id: string,
  { run, creditors, refusals }: { run: PayoutRunRow; creditors: readonly Creditor[]; refusals: Refusals },
): Promise<void> {
  const made_at = momentOf(run);
  const payables = creditors.map((creditor) => payableOf(creditor, { run, made_at }));
  try {
    return await payCreditors(database, organization_id, { run_id: run.id, payables, made_at });
  } catch (error) {
    if (!isOfRows(error) && !isDeadlock(error)) throw error;
  }
  for (const creditor of creditors) {
    try {
      await pay(database, organization_id, { run, creditor });
    } catch (error) {
      if (!isOfRows(error)) throw error;
      refusals.count += 1;
      refusals.first ??= { affiliate_id: creditor.affiliate_id, error };
    }
  }
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
  return { ...creditor, minimum_minor: minimumIn(creditor.currency, run), payout_id: newId(made_at) };
}
