import type { PayoutFile, PayoutFileFormat } from "@findersfee/contract/payouts/files";
import { countRunPayouts, type DownloadRow, listDownloads } from "@findersfee/database/payouts/files";
import { findPayoutRun, type PayoutRunRow } from "@findersfee/database/payouts/runs";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { payout_formats } from "./formats.ts";

/** The most downloads of a file to return. */
const MAX_DOWNLOADS = 10;

/**
 * The files of a run with their downloads: the provider's, or of a manual run each provider's, and our format last. Empty
 * while the run is in progress. Errors: `not_found`.
 */
export async function listPayoutFiles(
  { database, organization }: Context,
  id: string,
): Promise<PayoutFile[]> {
  const run = await findPayoutRun(database, organization.id, { id });
  if (run === null) throw notFound("payout run");
  if (run.finished_at === null || run.payouts === 0) return [];
  const [counts, downloads] = await Promise.all([
    countRunPayouts(database, organization.id, id),
    listDownloads(database, organization.id, { run_id: id, most: MAX_DOWNLOADS }),
  ]);
  const files = formatsOf(run).flatMap((format) => filesOf(format, counts));
  return files.map((file) => ({ ...file, downloads: downloadsOf(file, downloads) }));
}

function formatsOf({ method }: PayoutRunRow): PayoutFileFormat[] {
  return method === "manual" ? ["paypal", "wise", "csv"] : [method, "csv"];
}

type PlannedFile = Omit<PayoutFile, "downloads">;

/** As `planFile` divides them. */
function filesOf(
  format: PayoutFileFormat,
  counts: readonly { currency: string; payouts: number }[],
): PlannedFile[] {
  const { payouts_per_file, termsOf } = payout_formats[format];
  if (payouts_per_file === null) {
    const payouts = counts.reduce((sum, count) => sum + count.payouts, 0);
    return [{ format, currency: null, file: 1, files: 1, payouts }];
  }
  return counts.flatMap(({ currency, payouts }) => {
    if (termsOf(currency) === null) return [];
    const files = Math.ceil(payouts / payouts_per_file);
    return Array.from({ length: files }, (_, index) => ({
      format,
      currency,
      file: index + 1,
      files,
      payouts: Math.min(payouts_per_file, payouts - index * payouts_per_file),
    }));
  });
}

function downloadsOf(
  { format, currency, file }: PlannedFile,
  downloads: readonly DownloadRow[],
): PayoutFile["downloads"] {
  const own = downloads.filter(
    (one) => one.format === format && one.currency === currency && one.file === file,
  );
  return own.map(({ created_at, actor, actor_name }) => ({
    at: created_at.toISOString(),
    actor,
    actor_name,
  }));
}
