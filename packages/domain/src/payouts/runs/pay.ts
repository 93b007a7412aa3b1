import { foldRunTotals, listRunTotals } from "@findersfee/database/payouts/run-totals";
import {
  findPayoutRun,
  finishPayoutRun,
  lockPayoutRun,
  type Payee,
  type PayoutRunRow,
  postponePayoutRun,
  readDuePayoutRun,
} from "@findersfee/database/payouts/runs";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { isDeadlock, isOfRows, isOutage, isTimeLimit } from "@findersfee/database/postgres/errors";
import { inSpan } from "@findersfee/database/postgres/tracer";
import type { ShardOwner } from "@findersfee/database/work/shards";
import { newId } from "../../ids.ts";
import { isPayable } from "../../ledger/payable.ts";
import { RETRY_DELAYS, repeatedDelay } from "../../work/retry-delays.ts";
import { isWithin } from "./confirmed.ts";
import { minimumIn } from "./minimum.ts";
import { ALL_PAYEES, BEFORE_ALL, type Due, type Payees } from "./payees.ts";

/** Payees per transaction. A larger batch holds the locks of its balances longer, and new commissions wait for them. */
const BATCH = 100;
/** More refused payees than this are not a matter of single affiliates' rows. */
const MAX_REFUSED = 1_000;
/** After more waits for locks, the attempt ends: each takes as long as a statement may. */
const MAX_DELAYED = 10;
/** Attempts to pay a payee while other transactions change its commissions. */
const ATTEMPTS = 20;

export interface WorkedRun {
  organization_id: string;
  id: string;
  period: string;
}

export interface RefusedPayout extends Payee {
  organization_id: string;
  run_id: string;
  error: unknown;
}

export interface PayoutRunTurn {
  owner: ShardOwner;
  /** Ends it between two batches. */
  signal: AbortSignal;
  /** Payees per transaction. */
  batch?: number;
  onFinished?: (run: WorkedRun) => void;
  onRefused?: (refused: RefusedPayout) => void;
}

/**
 * Works on an organization's oldest unfinished run, from its start or from where it was interrupted: a run pays each
 * payee once, so it may be interrupted at any point. If Postgres rejects one affiliate's payout, the run continues with the
 * others: `onRefused` reports it, and the next run includes it. If it is only not possible now, because of a lock or a
 * deadlock, the run continues with the others, too, and stays unfinished until that affiliate is paid.
 *
 * @returns whether there was a run
 * @throws the error of a run that continues later, after it was postponed
 */
export async function workPayoutRun(
  database: Database,
  organization_id: string,
  { owner, signal, batch = BATCH, onFinished = () => {}, onRefused = () => {} }: PayoutRunTurn,
): Promise<boolean> {
  const run = await readDuePayoutRun(database, organization_id, owner);
  if (run === null) return false;
  const { id, period, failures, traceparent } = run;
  try {
    const report = (payee: Payee, error: unknown) =>
      onRefused({ organization_id, run_id: id, ...payee, error });
    await inSpan({ name: "pay payout run", kind: "consumer", parent: traceparent }, () =>
      workRun(database, organization_id, { run, signal, batch, report }),
    );
    if (!signal.aborted) await foldRunTotals(database, organization_id, [id]);
    if (!signal.aborted && (await finishPayoutRun(database, organization_id, { id, owner }))) {
      onFinished({ organization_id, id, period });
    }
    return true;
  } catch (error) {
    if (isOutage(error)) throw error;
    const seconds = repeatedDelay(RETRY_DELAYS.payout_runs, failures);
    const reason = String(error).slice(0, 500);
    await postponePayoutRun(database, organization_id, { id, owner, seconds, reason });
    throw new Error(`Payout run ${id} is not finished: ${error}`, { cause: error });
  }
}

interface Work {
  run: PayoutRunRow;
  signal: AbortSignal;
  batch: number;
  /** Called with each payee that Postgres refused to pay. */
  report: (payee: Payee, error: unknown) => void;
}

async function workRun(database: Database, organization_id: string, work: Work): Promise<void> {
  const unpaid: Unpaid = { refused: 0, delayed: [] };
  for (const payees of ALL_PAYEES) await payAll(database, organization_id, { ...work, payees, unpaid });
  if (work.signal.aborted) return;
  const { refused, delayed } = unpaid;
  const [first] = delayed;
  if (first !== undefined) throw new Error(`${delayed.length} affiliates could not be paid yet: ${first}`);
  if (refused === 0) return;
  const paid = await findPayoutRun(database, organization_id, { id: work.run.id });
  // The cause is not in the rows of single affiliates: the next run would fail the same way.
  if (paid === null || paid.payouts < refused) throw new Error(`${refused} affiliates were refused`);
}

/** Pays the payees of a kind in batches, and counts those that it could not pay. */
async function payAll(
  database: Database,
  organization_id: string,
  { payees, unpaid, ...work }: Work & { payees: Payees; unpaid: Unpaid },
): Promise<void> {
  const { run, signal, batch, report } = work;
  for (let after = BEFORE_ALL; ; ) {
    if (signal.aborted || unpaid.delayed.length > MAX_DELAYED) return;
    const due = await payees.list(database, organization_id, { run, after, limit: batch });
    const of_batch = await payBatch(database, organization_id, { payees, run, report, due });
    unpaid.refused += of_batch.refused;
    unpaid.delayed.push(...of_batch.delayed);
    if (unpaid.refused > MAX_REFUSED) throw new Error(`${unpaid.refused} affiliates were refused`);
    const last = due.at(-1);
    if (last === undefined || due.length < batch) return;
    after = last;
  }
}

interface Unpaid {
  /** The number of payees with rows that Postgres rejects. */
  refused: number;
  /** The errors of those that can be paid later. */
  delayed: unknown[];
}

/** Pays a batch in one transaction, or each payee in one of its own if that fails. */
async function payBatch(
  database: Database,
  organization_id: string,
  { payees, run, report, due }: Pick<Work, "run" | "report"> & { payees: Payees; due: readonly Due[] },
): Promise<Unpaid> {
  const unpaid: Unpaid = { refused: 0, delayed: [] };
  const payable = due.filter((row) => isPayableIn(run, row));
  try {
    await pay(database, organization_id, { payees, run, due: payable });
    return unpaid;
  } catch (error) {
    if (!isOfPayee(error)) throw error;
  }
  for (const payee of payable) {
    try {
      await payAlone(database, organization_id, { payees, run, payee });
    } catch (error) {
      if (!isOfPayee(error)) throw error;
      if (isOfRows(error)) {
        unpaid.refused += 1;
        report(payee, error);
      } else if (error instanceof UnconfirmedError) report(payee, error);
      else unpaid.delayed.push(error);
      if (unpaid.delayed.length > MAX_DELAYED) break;
    }
  }
  return unpaid;
}

/*
 * A run pays a payee under all of these conditions. In packages/database/src/payouts: the unpaid balance is positive (`LIST_DUE`
 * in runs.ts), or the affiliate is paid in one currency (conversions.ts); commissions are due by `dueAt` (../ledger/due.ts) at the
 * run's cutoff, and the run has no payout of the payee yet, who is not left out of runs (`DUE`). Here: the sum of the due ones, as
 * converted, is positive and at least the minimum (`isPayable`, `minimumIn`), which the preview of a run repeats in `CAPTURE`
 * (packages/database/src/payouts/previews.ts).
 */
function isPayableIn(run: PayoutRunRow, { currency, amount_minor, has_payout, is_left_out }: Due): boolean {
  return !has_payout && !is_left_out && isPayable(amount_minor, minimumIn(currency, run.minimum_payouts));
}

/** Commissions, or the currency that an affiliate is paid in, changed after the due sum was read. */
class ChangedDueError extends Error {}

/** The run would pay more than was confirmed: a commission grew, or became known, since. The next run pays it. */
class UnconfirmedError extends Error {}

/** Whether the other payees of a batch can still be paid. */
function isOfPayee(error: unknown): boolean {
  if (error instanceof ChangedDueError || error instanceof UnconfirmedError) return true;
  return isOfRows(error) || isDeadlock(error) || isTimeLimit(error);
}

/** Creates a payee's payout; retries while other transactions change its commissions. */
async function payAlone(
  database: Database,
  organization_id: string,
  { payees, run, payee }: { payees: Payees; run: PayoutRunRow; payee: Payee },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const due = await payees.find(database, organization_id, { run, payee });
    if (!isPayableIn(run, due)) return;
    try {
      return await pay(database, organization_id, { payees, run, due: [due] });
    } catch (error) {
      if (attempt === ATTEMPTS || !(isDeadlock(error) || error instanceof ChangedDueError)) throw error;
    }
  }
}

/** Creates the payouts in one transaction, each for the due amount, or none. */
async function pay(
  database: Database,
  organization_id: string,
  { payees, run, due }: { payees: Payees; run: PayoutRunRow; due: readonly Due[] },
): Promise<void> {
  if (due.length === 0) return;
  const created_at = creationTime(run);
  const payouts = due.map((row) => ({ ...row, id: newId(created_at) }));
  await transaction(database, async (sql) => {
    if (run.confirmed !== null) await lockPayoutRun(sql, organization_id, run.id);
    const created = await payees.create(sql, organization_id, { run, created_at, payouts });
    const by_id = new Map(created.map((payout) => [payout.id, payout]));
    const is_as_read = payouts.every(({ id, amount_minor, payment_count }) => {
      const payout = by_id.get(id);
      return payout?.amount_minor === amount_minor && payout.payment_count === payment_count;
    });
    if (!is_as_read) throw new ChangedDueError("the lines of a payout changed concurrently");
    await requireWithin(sql, organization_id, run);
  });
}

/** Throws if the payouts so far, with those of this transaction, exceed the confirmed amount. */
async function requireWithin(sql: Transaction, organization_id: string, run: PayoutRunRow): Promise<void> {
  if (run.confirmed === null) return;
  if (isWithin(run.confirmed, await listRunTotals(sql, organization_id, [run.id]))) return;
  throw new UnconfirmedError("more is due than was confirmed when the run started");
}

/** Not before the run's cutoff, even if this machine's clock is behind: payouts are newer than their commissions. */
function creationTime({ cutoff_at }: PayoutRunRow): Date {
  return new Date(Math.max(Date.now(), cutoff_at.getTime()));
}
