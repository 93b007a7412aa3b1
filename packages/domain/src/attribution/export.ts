import { type MatchPayments, matchPaymentsInput } from "@findersfee/contract/attribution/payment-rows";
import {
  listPaymentRows,
  type PaidPosition,
  type PaymentListRow,
} from "@findersfee/database/attribution/list-payment-rows";
import { z } from "zod";
import { writeSignedAmount } from "../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../csv/export-step.ts";
import type { Cell } from "../csv/write-lines.ts";
import type { JobKind } from "../work/jobs/kind.ts";
import { paymentFilter } from "./list-rows.ts";

const HEADER = [
  "id",
  "paid_at",
  "processor",
  "payment_id",
  "customer_email",
  "outcome",
  "affiliate_id",
  "affiliate_name",
  "affiliate_email",
  "currency",
  "paid",
  "taken_back",
  "revenue",
  "commission",
  "commission_id",
];

const positionSchema = exportPosition.unwrap().extend({ paid_at: z.iso.datetime() }).nullable();

/** The payments of the list's filters as CSV, the latest first. */
export const paymentsExport: JobKind<MatchPayments> = {
  input: matchPaymentsInput,
  file: "payments",
  async step({ sql, organization, input, position, done }) {
    const former = positionSchema.parse(position);
    const rows = await listPaymentRows(sql, organization.id, {
      filter: await paymentFilter(sql, organization.id, input),
      range: { after: former && positionOf(former), before: null, limit: EXPORT_PAGE },
    });
    const progress = exportProgress({ done, position }, { header: HEADER, rows, lines: rows.map(lineOf) });
    const last = rows.at(-1);
    if (progress.position === null || last === undefined) return progress;
    return { ...progress, position: { ...progress.position, paid_at: last.paid_at.toISOString() } };
  },
};

function positionOf({ after, paid_at }: { after: string; paid_at: string }): PaidPosition {
  return { paid_at: new Date(paid_at), id: after };
}

/** `commission`: the rest of the payment's commission, also of a manual one. */
function lineOf(row: PaymentListRow): Cell[] {
  const { currency } = row;
  return [
    row.id,
    row.paid_at.toISOString(),
    row.processor,
    row.payment_id,
    row.customer_email ?? "",
    row.outcome,
    row.affiliate_id ?? "",
    `${row.first_name ?? ""} ${row.last_name ?? ""}`.trim(),
    row.affiliate_email ?? "",
    currency,
    { exact: writeSignedAmount(row.paid_minor, currency) },
    { exact: writeSignedAmount(row.reversed_minor, currency) },
    { exact: writeSignedAmount(row.revenue_minor, currency) },
    { exact: writeSignedAmount(row.held_id === null ? 0n : row.remaining_minor, currency) },
    row.held_id ?? "",
  ];
}
