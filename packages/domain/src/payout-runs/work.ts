import type { Database } from "@findersfee/database/connect";
import { isDeadlock, isRefusal, isRefusedByLedger, isUnavailable } from "@findersfee/database/errors";
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
 * `signal` ends it between two affiliates. Whom Postgres refuses to pay keeps nobody else waiting.
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
    const refused = await workRun(database, organization_id, { run, signal });
    if (signal.aborted) break;
    if (refused.length === 0) {
      await finishPayoutRun(database, organization_id, run.id);
      onFinished({ organization_id, id: run.id, period: run.period });
    } else {
      const [first] = refused;
      const more = refused.length > 1 ? ` and ${refused.length - 1} more` : "";
      const message = `Payout run ${run.id} could not pay affiliate ${first?.affiliate_id}${more}`;
      failed.push(new Error(message, { cause: first?.error }));
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join("; "));
}

/** Whom Postgres refused to pay. */
interface Refused extends Creditor {
  error: unknown;
}

async function workRun(
  database: Database,
  organization_id: string,
  { run, signal }: { run: PayoutRunRow; signal: AbortSignal },
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (let after = NO_CREDITOR; ; ) {
    const creditors = await listCreditors(database, organization_id, { after, limit: BATCH });
    for (let place = 0; place < creditors.length; place += AT_ONCE) {
      if (signal.aborted) return refused;
      const some = creditors.slice(place, place + AT_ONCE);
      refused.push(...(await paySome(database, organization_id, { run, creditors: some })));
    }
    const last = creditors.at(-1);
    if (last === undefined || creditors.length < BATCH) return refused;
    after = last;
  }
}

/** Returns whom Postgres refused to pay. */
async function paySome(
  database: Database,
  organization_id: string,
  { run, creditors }: { run: PayoutRunRow; creditors: readonly Creditor[] },
): Promise<Refused[]> {
  const made_at = momentOf(run);
  const payables = creditors.map((creditor) => payableOf(creditor, { run, made_at }));
  try {
    await payCreditors(database, organization_id, { run_id: run.id, payables, made_at });
    return [];
  } catch (error) {
    if (!isRefusalOfOne(error)) throw error;
  }
  const refused: Refused[] = [];
  for (const creditor of creditors) {
    await pay(database, organization_id, { run, creditor }).catch((error: unknown) => {
      if (!isRefusalOfOne(error)) throw error;
      refused.push({ ...creditor, error });
    });
  }
  return refused;
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

/** Whether it is no fault of the connection or of the server. */
function isRefusalOfOne(error: unknown): boolean {
  return isRefusal(error) && !isUnavailable(error);
}
