import type { ExportPayouts } from "@findersfee/contract/payouts/files";
import { countRunPayouts, type FileRange, findAffiliateAt } from "@findersfee/database/payouts/files";
import { NO_PAYEE, type PayoutRunRow } from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField } from "../../errors.ts";
import type { PayoutFormat } from "./format.ts";

/** Selects payouts of a run for a file, and the number of the file if there are several. */
export interface FilePlan {
  range: Omit<FileRange, "limit">;
  /** Null: all. */
  currency: string | null;
  file: number;
  files: number;
}

/**
 * Determines the payouts of the requested file. A finished run creates no more payouts, and a file's range counts all
 * of them regardless of their status, so no payout is ever in two files.
 */
export async function planFile(
  sql: Connection,
  organizationId: string,
  { run, format, wanted }: { run: PayoutRunRow; format: PayoutFormat; wanted: ExportPayouts },
): Promise<FilePlan> {
  requireFinished(run);
  requireMethod(run, wanted);
  const counts = await countRunPayouts(sql, organizationId, run.id);
  const range = {
    run_id: run.id,
    statuses: format.statuses,
    with_withheld: !format.pays,
    after: NO_PAYEE,
    until_affiliate_id: null,
  };
  const per_file = format.payouts_per_file;
  if (per_file === null) {
    requireOnly(wanted, 1, "This format has one file.");
    const currency = wanted.currency ?? null;
    return { range: { ...range, one_currency: currency }, currency, file: 1, files: 1 };
  }
  const currency = currencyOf(wanted, counts, run);
  const payouts = counts.find((count) => count.currency === currency)?.payouts ?? 0;
  const files = Math.max(1, Math.ceil(payouts / per_file));
  const file = requireOnly(wanted, files, `There are ${files} files of at most ${per_file} payouts each.`);
  const placeOf = (place: number) =>
    findAffiliateAt(sql, organizationId, { run_id: run.id, currency, place });
  const last_before = file === 1 ? null : await placeOf((file - 1) * per_file - 1);
  return {
    range: {
      ...range,
      one_currency: currency,
      after: last_before === null ? NO_PAYEE : { affiliate_id: last_before, currency },
      until_affiliate_id: await placeOf(file * per_file),
    },
    currency,
    file,
    files,
  };
}

function requireFinished({ finished_at }: PayoutRunRow): void {
  if (finished_at !== null) return;
  throw new DomainError("payout_locked", {
    message: "The run is in progress; files are available once it finishes.",
  });
}

/** Paying a run's payouts through two providers would pay them twice. */
function requireMethod({ method }: PayoutRunRow, { format }: ExportPayouts): void {
  if (format === "csv" || method === "manual" || method === format) return;
  throw invalidField("format", `The payouts of this run are paid by ${method}.`);
}

function currencyOf(
  { currency }: ExportPayouts,
  counts: readonly { currency: string }[],
  run: PayoutRunRow,
): string {
  if (currency !== undefined) return currency;
  const [first, second] = counts;
  if (second === undefined) return first?.currency ?? run.currency;
  const names = counts.map((count) => count.currency).join(", ");
  throw invalidField("currency", `Is required: a file has one currency, and the run has ${names}.`);
}

function requireOnly({ file }: ExportPayouts, files: number, message: string): number {
  if (file === undefined && files === 1) return 1;
  if (file === undefined || file > files) throw invalidField("file", message);
  return file;
}
