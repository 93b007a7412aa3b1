import { type ExportAdjustments, exportAdjustmentsInput } from "@findersfee/contract/ledger/adjustments";
import { listNamedAdjustments, type NamedAdjustmentRow } from "@findersfee/database/ledger/adjustments";
import { writeSignedAmount } from "../../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../../csv/export-step.ts";
import type { Cell } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";

const HEADER = [
  "id",
  "affiliate_id",
  "affiliate_name",
  "affiliate_email",
  "amount",
  "currency",
  "reason",
  "commission_id",
  "payout_id",
  "status",
  "created_by",
  "created",
];

/** The adjustments of all affiliates, of one, or of a payout, as CSV, newest first. */
export const adjustmentsExport: JobKind<ExportAdjustments> = {
  input: exportAdjustmentsInput,
  file: "adjustments",
  async step({ sql, organization, input, position, done }) {
    const after = exportPosition.parse(position)?.after ?? null;
    const rows = await listNamedAdjustments(sql, organization.id, {
      filter: input,
      range: { below: after, offset: 0, limit: EXPORT_PAGE },
    });
    return exportProgress({ done, position }, { header: HEADER, rows, lines: rows.map(lineOf) });
  },
};

function lineOf(row: NamedAdjustmentRow): Cell[] {
  return [
    row.id,
    row.affiliate_id,
    row.affiliate_name,
    row.affiliate_email,
    { exact: writeSignedAmount(row.amount_minor, row.currency) },
    row.currency,
    row.reason,
    row.commission_id ?? "",
    row.payout_id ?? "",
    row.payout_status,
    row.cause_name ?? row.cause,
    row.created_at.toISOString(),
  ];
}
