import { type ExportPayoutRows, exportPayoutRowsInput } from "@findersfee/contract/payouts/rows";
import { listPayoutRows, type PayoutListRow } from "@findersfee/database/payouts/list-rows";
import { z } from "zod";
import { writeSignedAmount } from "../csv/amount.ts";
import type { Cell } from "../csv/write-lines.ts";
import { writeLines } from "../csv/write-lines.ts";
import type { JobKind } from "../work/jobs/kind.ts";
import { payoutFilter } from "./list-rows.ts";
import { referenceOf } from "./reference.ts";

/** Payouts of one step: about 50 ms. */
const PAGE = 1_000;

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

const positionSchema = z.object({ after: z.string() }).nullable();

/** The payouts of the list's filters as CSV for bookkeeping, newest first: no provider pays from it. */
export const payoutsExport: JobKind<ExportPayoutRows> = {
  input: exportPayoutRowsInput,
  file: "payouts",
  async step({ sql, organization, input, position, done }) {
    const after = positionSchema.parse(position)?.after ?? null;
    const rows = await listPayoutRows(sql, organization.id, {
      filter: await payoutFilter(sql, organization.id, input),
      range: { after, before: null, limit: PAGE },
      most: null,
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
