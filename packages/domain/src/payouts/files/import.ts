import type { ImportedResults, ImportResults } from "@findersfee/contract/payouts/files";
import { lockPayouts } from "@findersfee/database/payouts/moves";
import { findPayouts } from "@findersfee/database/payouts/payouts";
import { findPayoutRun } from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { InvalidLines } from "../../csv/invalid-lines.ts";
import { notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { inTransaction } from "../../transaction.ts";
import { moveLocked } from "../move.ts";
import { immovable } from "./check.ts";
import { payout_formats } from "./formats.ts";
import { type ReadResults, readResults } from "./read-results.ts";

/** Failed payouts in an answer. */
const NAMED = 20;

/**
 * Imports a provider's result file: marks its payouts as paid or failed, with their commissions. All lines are checked
 * first, and then all changes are applied, or none; with `check`, none in any case. The same file again is rejected, because its payouts are already
 * paid or failed. Errors: `not_found`; `invalid_request` with an issue for each of the first invalid lines.
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
  if (check === undefined && read.paid.size + read.failed.size > 0)
    await inTransaction(context, (sql) => moveAll(sql, context, read));
  const failures = await viewFailures(context, read);
  return { paid: read.paid.size, failed: read.failed.size, open: read.open, failures };
}

async function viewFailures(
  { database, organization }: Context,
  { failed }: ReadResults,
): Promise<ImportedResults["failures"]> {
  const first = [...failed].slice(0, NAMED);
  const payouts = await findPayouts(
    database,
    organization.id,
    first.map(([id]) => id),
  );
  return first.flatMap(([id, { reason }]) => {
    const payout = payouts.find((row) => row.id === id);
    if (payout === undefined) return [];
    const { affiliate_name, amount_minor, currency } = payout;
    return [{ payout_id: id, affiliate_name, amount: toMajor(amount_minor, currency), currency, reason }];
  });
}

async function moveAll(
  sql: Connection,
  { organization, actor }: Context,
  { paid, failed }: ReadResults,
): Promise<void> {
  const rows = await lockPayouts(sql, organization.id, [...paid.keys(), ...failed.keys()]);
  const invalid_lines = new InvalidLines();
  for (const { id, status } of rows) {
    const refusal = immovable(status);
    const line = paid.get(id)?.line ?? failed.get(id)?.line ?? 0;
    if (refusal !== null) invalid_lines.add(line, refusal);
  }
  // Another request changed the payout first.
  invalid_lines.throwAny();
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
