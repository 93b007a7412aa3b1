import { type ExportPayoutRows, exportPayoutRowsInput } from "@findersfee/contract/payouts/rows";
import { listPayoutRows, type PayoutListRow } from "@findersfee/database/payouts/list-rows";
import { writeSignedAmount } from "../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../csv/export-step.ts";
import type { Cell } from "../csv/write-lines.ts";
import type { JobKind } from "../work/jobs/kind.ts";
import { payoutFilter } from "./list-rows.ts";
import { referenceOf } from "./reference.ts";

const HEADER = [
  "id",
  "reference",
  "month",
  "affiliate_id",
  "affiliate_name",
  "payout_email",
  "currency",
  "amount",
  // Commissions, reversals and adjustments.
  "lines",
  "status",
  "since",
  "reason",
  "method",
  "created",
];

/** The payouts of the list's filters as CSV for bookkeeping, newest first: no provider pays from it. */
export const payoutsExport: JobKind<ExportPayoutRows> = {
  input: exportPayoutRowsInput,
  file: "payouts",
  async step({ sql, organization, input, position, done }) {
    const after = exportPosition.parse(position)?.after ?? null;
    const rows = await listPayoutRows(sql, organization.id, {
      filter: await payoutFilter(sql, organization.id, input),
      range: { after, before: null, limit: EXPORT_PAGE },
      most: null,
    });
    return exportProgress({ done, position }, { header: HEADER, rows, lines: rows.map(lineOf) });
  },
};

function lineOf(row: PayoutListRow): Cell[] {
  return [
    row.id,
    referenceOf(row.id),
    row.period,
    row.affiliate_id,
    row.affiliate_name,
    row.payout_email ?? "",
    row.currency,
    { exact: writeSignedAmount(row.amount_minor, row.currency) },
    String(row.payment_count),
    row.status,
    row.status_at.toISOString(),
    row.status_reason ?? "",
    row.method,
    row.created_at.toISOString(),
  ];
}
