import type { ImportedResults, ImportResults } from "@findersfee/contract/payout-files";
import type { Connection } from "@findersfee/database/connect";
import { lockPayouts } from "@findersfee/database/payout-moves";
import { findPayoutRun } from "@findersfee/database/payout-runs";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { moveLocked } from "../payouts/move.ts";
import { immovable } from "./check.ts";
import { payout_formats } from "./formats.ts";
import { type ReadResults, readResults } from "./read-results.ts";
import { Refusals } from "./refusals.ts";

/**
 * Takes a provider's result file: payouts that it paid are paid, those that it could not pay failed, and their
 * commissions follow. All of its lines are checked before anything changes, and then all changes, or nothing: the
 * same file again is refused, since what it names is paid or failed already. Errors: `not_found`; `invalid_request`,
 * whose issues name the first lines that are wrong.
 */
export async function importResults(
  context: Context,
  { id, format }: ImportResults,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImportedResults> {
  const { database, organization } = context;
  const run = await findPayoutRun(database, organization.id, { id });
  if (run === null) throw notFound("payout run");
  // Before the transaction: it waits for whoever sends the file.
  const read = await readResults(database, organization.id, {
    run_id: run.id,
    format: payout_formats[format],
    bytes,
  });
  if (read.paid.size + read.failed.size > 0) await change(context, (sql) => moveAll(sql, context, read));
  return { paid: read.paid.size, failed: read.failed.size, open: read.open };
}

async function moveAll(
  sql: Connection,
  { organization, actor }: Context,
  { paid, failed }: ReadResults,
): Promise<void> {
  const rows = await lockPayouts(sql, organization.id, [...paid.keys(), ...failed.keys()]);
  const refusals = new Refusals();
  for (const { id, status } of rows) {
    const refusal = immovable(status);
    const line = paid.get(id)?.line ?? failed.get(id)?.line ?? 0;
    if (refusal !== null) refusals.add(line, refusal);
  }
  // Somebody else was quicker.
  refusals.throwAny();
  const pending = rows.filter(({ id, status }) => status === "pending" && paid.has(id));
  const moves = [
    { ids: pending.map(({ id }) => id), status: "processing" as const, reason: null },
    { ids: [...paid.keys()], status: "paid" as const, reason: null },
    ...byReason(failed).map(({ ids, reason }) => ({ ids, status: "failed" as const, reason })),
  ];
  for (const move of moves) {
    if (move.ids.length > 0) await moveLocked(sql, organization.id, { ...move, by: actor });
  }
}

function byReason(failed: ReadResults["failed"]): { ids: string[]; reason: string }[] {
  const reasons = new Map<string, string[]>();
  for (const [id, { reason }] of failed) {
    const ids = reasons.get(reason);
    if (ids === undefined) reasons.set(reason, [id]);
    else ids.push(id);
  }
  return [...reasons].map(([reason, ids]) => ({ ids, reason }));
}
