import { type ExportAdjustments, exportAdjustmentsInput } from "@findersfee/contract/ledger/adjustments";
import { listNamedAdjustments, type NamedAdjustmentRow } from "@findersfee/database/ledger/adjustments";
import { z } from "zod";
import { writeSignedAmount } from "../../csv/amount.ts";
import type { Cell } from "../../csv/write-lines.ts";
import { writeLines } from "../../csv/write-lines.ts";
import type { JobKind } from "../../work/jobs/kind.ts";

/** Adjustments of one step. */
const PAGE = 1_000;

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

const positionSchema = z.object({ after: z.string() }).nullable();

/** The adjustments of all affiliates, of one, or of a payout, as CSV, newest first. */
export const adjustmentsExport: JobKind<ExportAdjustments> = {
  input: exportAdjustmentsInput,
  file: "adjustments",
  async step({ sql, organization, input, position, done }) {
    const after = positionSchema.parse(position)?.after ?? null;
    const rows = await listNamedAdjustments(sql, organization.id, {
      filter: input,
      range: { below: after, offset: 0, limit: PAGE },
    });
    const lines = rows.map(lineOf);
    const last = rows.length < PAGE ? undefined : rows.at(-1);
    return {
      position: last === undefined ? null : { after: last.id },
      done: done + rows.length,
      content: writeLines(after === null ? [HEADER, ...lines] : lines),
    };
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
