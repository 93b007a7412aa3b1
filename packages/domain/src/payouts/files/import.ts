import type { ImportedResults, ImportResults } from "@findersfee/contract/payouts/files";
import { lockPayouts } from "@findersfee/database/payouts/moves";
import { findPayouts } from "@findersfee/database/payouts/payouts";
import { findPayoutRun } from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { inTransaction } from "../../transaction.ts";
import { moveLocked } from "../move.ts";
import { payout_formats } from "./formats.ts";
import { type PlannedMoves, planMoves } from "./plan-moves.ts";
import { NAMED_SKIPPED, type ReadResults, readResults } from "./read-results.ts";

/** Failed payouts in an answer. */
const NAMED = 20;

/**
 * Imports a provider's result file: marks its payouts as paid or failed, with their commissions. All lines are checked
 * first, and then all changes are applied, or none; with `check`, none in any case. Lines of other payments are skipped, and lines of payouts
 * that have their result change nothing, so the same file can be sent again. Errors: `not_found`; `invalid_request` with an issue for
 * each of the first invalid lines.
 */
export async function importResults(
  context: Context,
  { id, format, check }: ImportResults,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportedResults> {
  const { database, organization } = context;
  const run = await findPayoutRun(database, organization.id, { id });
  if (run === null) throw notFound("payout run");
  // Before the transaction, because it waits for the upload.
  const read = await readResults(database, organization.id, {
    run_id: run.id,
    format: payout_formats[format],
    bytes,
  });
  const expected = planMoves(read.lines.values(), read.statuses);
  const changes = expected.paid.length + expected.failed.length;
  const planned =
    check !== undefined || changes === 0
      ? expected
      : await inTransaction(context, (sql) => moveAll(sql, context, read));
  return {
    paid: planned.paid.length,
    failed: planned.failed.length,
    open: planned.open,
    unchanged: planned.unchanged,
    failures: await viewFailures(context, planned),
    ...viewSkipped(read, planned),
  };
}

async function viewFailures(
  { database, organization }: Context,
  { failed }: PlannedMoves,
): Promise<ImportedResults["failures"]> {
  const first = failed.slice(0, NAMED);
  const payouts = await findPayouts(
    database,
    organization.id,
    first.map(({ id }) => id),
  );
  return first.flatMap(({ id, reason }) => {
    const payout = payouts.find((row) => row.id === id);
    if (payout === undefined) return [];
    const { affiliate_name, amount_minor, currency } = payout;
    return [{ payout_id: id, affiliate_name, amount: toMajor(amount_minor, currency), currency, reason }];
  });
}

function viewSkipped(
  { foreign }: ReadResults,
  { contradictions }: PlannedMoves,
): Pick<ImportedResults, "skipped" | "skipped_lines"> {
  const lines = [...contradictions, ...foreign.first].sort((a, b) => a.line - b.line);
  return { skipped: contradictions.length + foreign.count, skipped_lines: lines.slice(0, NAMED_SKIPPED) };
}

/** Decides again by the statuses under the lock: another request may have changed a payout since. */
async function moveAll(
  sql: Connection,
  { organization, actor }: Context,
  { lines }: ReadResults,
): Promise<PlannedMoves> {
  const rows = await lockPayouts(sql, organization.id, [...lines.keys()]);
  const planned = planMoves(lines.values(), new Map(rows.map(({ id, status }) => [id, status])));
  const moves = [
    { ids: planned.pending, status: "processing" as const, reason: null },
    { ids: planned.paid, status: "paid" as const, reason: null },
    ...byReason(planned.failed).map(({ ids, reason }) => ({ ids, status: "failed" as const, reason })),
  ];
  for (const move of moves) {
    if (move.ids.length > 0) await moveLocked(sql, organization.id, { ...move, by: actor });
  }
  return planned;
}

function byReason(failed: PlannedMoves["failed"]): { ids: string[]; reason: string }[] {
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of failed) {
    const ids = reasons.get(reason);
    if (ids === undefined) reasons.set(reason, [id]);
    else ids.push(id);
  }
  return [...reasons].map(([reason, ids]) => ({ ids, reason }));
}
