import type { ExportPayouts } from "@findersfee/contract/payouts/files";
import { listFilePayouts } from "@findersfee/database/payouts/files";
import { findPayoutRun, type PayoutRunRow } from "@findersfee/database/payouts/runs";
import type { Database } from "@findersfee/database/postgres/connect";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { BYTE_ORDER_MARK, writeLines } from "../../csv/write-lines.ts";
import { notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import type { PayoutFormat } from "./format.ts";
import { payout_formats } from "./formats.ts";
import { type FilePlan, planFile } from "./plan.ts";
import { requirePayable } from "./require-payable.ts";

/** Payouts per read. */
const BATCH = 500;

export interface PayoutExport {
  /** The suggested file name: letters, digits, points and dashes. */
  name: string;
  /** Read on demand; no connection is held between two chunks. */
  content: AsyncGenerator<string>;
}

/**
 * Exports a run's payouts as a file, to pay them or for bookkeeping. The audit log records who downloaded it. Errors: `not_found`; `payout_locked` while the run
 * is in progress; `invalid_request` when the request must name a currency or one of several files, and when a
 * provider cannot pay one of its payouts, or the file cannot carry its address.
 */
export async function exportPayouts(context: Context, wanted: ExportPayouts): Promise<PayoutExport> {
  const { database, organization } = context;
  const run = await findPayoutRun(database, organization.id, { id: wanted.id });
  if (run === null) throw notFound("payout run");
  const format = payout_formats[wanted.format];
  const plan = await planFile(database, organization.id, { run, format, wanted });
  if (format.pays) await requirePayable(database, organization.id, { format, plan });
  const { currency, file } = plan;
  // Recorded before it is sent: a file that nobody knows of would be paid twice.
  await inTransaction(context, async (sql) => {
    const after = { format: wanted.format, currency, file };
    await writeAuditEntry(sql, context, {
      resource: "payout_run",
      id: run.id,
      action: "downloaded",
      before: {},
      after,
    });
  });
  const name = nameOf(run, wanted.format, plan);
  return { name, content: contentOf(database, organization.id, { format, plan }) };
}

async function* contentOf(
  database: Database,
  organizationId: string,
  { format, plan }: { format: PayoutFormat; plan: FilePlan },
): AsyncGenerator<string> {
  if (!format.pays) yield BYTE_ORDER_MARK;
  if (format.header !== null) yield writeLines([format.header]);
  for (let after = plan.range.after; ; ) {
    const payouts = await listFilePayouts(database, organizationId, { ...plan.range, after, limit: BATCH });
    if (payouts.length > 0) yield writeLines(payouts.map((payout) => format.line(payout)));
    const last = payouts.at(-1);
    if (last === undefined || payouts.length < BATCH) return;
    after = { affiliate_id: last.affiliate_id, currency: last.currency };
  }
}

/**
 * `payouts-2026-11-paypal-USD-2-of-3.csv`; for a further run in the month
 * `payouts-2026-11-run-2-paypal-USD.csv`.
 */
function nameOf(
  { period, number }: Pick<PayoutRunRow, "period" | "number">,
  format: string,
  { currency, file, files }: FilePlan,
): string {
  const run = number === 1 ? [] : ["run", number];
  const parts = ["payouts", period, run, format === "csv" ? [] : format, currency ?? []].flat();
  if (files > 1) parts.push(`${file}-of-${files}`);
  return `${parts.join("-")}.csv`;
}
