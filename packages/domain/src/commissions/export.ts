import { type ExportCommissions, exportCommissionsInput } from "@findersfee/contract/commissions/rows";
import { findCorrections } from "@findersfee/database/attribution/customers";
import type { CommissionListRow, CommissionPosition } from "@findersfee/database/commissions/list-rows";
import type { Connection } from "@findersfee/database/postgres/connect";
import { z } from "zod";
import { writeSignedAmount } from "../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../csv/export-step.ts";
import type { Cell } from "../csv/write-lines.ts";
import type { JobKind } from "../work/jobs/kind.ts";
import { commissionFilter, findVoidedBy, payableAt, readCommissionRows, stateOf } from "./list-rows.ts";

const HEADER = [
  "id",
  "date",
  "affiliate_id",
  "affiliate_name",
  "affiliate_email",
  "customer_email",
  "currency",
  "revenue",
  "commission",
  "status",
  "payable_from",
  "payout_id",
  "payout_month",
  "payment_id",
  "reverses",
  "created",
  // refund, dispute, refund_and_dispute, person, or decision: the one about its payment has changed.
  "voided_by",
  // The event other than a payment that it is for: signup, trial, or the name of a conversion.
  "lead",
  // The recruit, and the recruit's commission that this one is a percentage of.
  "recruit_email",
  "recruit_commission_id",
];

const positionSchema = exportPosition
  .unwrap()
  .extend({ now: z.iso.datetime(), referral_date: z.iso.datetime() })
  .nullable();

/** The commissions of the list's filters as CSV, the latest date first. All are held or due as of the first step. */
export const commissionsExport: JobKind<ExportCommissions> = {
  input: exportCommissionsInput,
  file: "commissions",
  async step({ sql, organization, input, position, done }) {
    const former = positionSchema.parse(position);
    const now = new Date(former?.now ?? Date.now());
    const rows = await readCommissionRows(sql, organization.id, {
      filter: await commissionFilter(sql, organization.id, { filters: input, now }),
      range: { after: former && positionOf(former), before: null, limit: EXPORT_PAGE },
    });
    const reasons = await findVoidReasons(sql, organization.id, rows);
    const lines = rows.map((row) => [...lineOf(row, now), reasons.get(row.id) ?? "", ...sourceOf(row)]);
    const progress = exportProgress({ done, position }, { header: HEADER, rows, lines });
    const last = rows.at(-1);
    if (progress.position === null || last === undefined) return progress;
    const referral_date = last.referral_date.toISOString();
    return { ...progress, position: { ...progress.position, referral_date, now: now.toISOString() } };
  },
};

function positionOf({ after, referral_date }: { after: string; referral_date: string }): CommissionPosition {
  return { referral_date: new Date(referral_date), id: after };
}

function lineOf(row: CommissionListRow, now: Date): Cell[] {
  const { currency } = row;
  return [
    row.id,
    row.referral_date.toISOString(),
    row.affiliate_id,
    `${row.first_name} ${row.last_name}`.trim(),
    row.affiliate_email,
    row.customer_email,
    currency,
    { exact: writeSignedAmount(row.revenue_minor, currency) },
    { exact: writeSignedAmount(row.commission_minor, currency) },
    stateOf(row, now),
    payableAt(row),
    row.payout_id ?? "",
    row.payout_period ?? "",
    row.processor_payment_id ?? "",
    row.reversal_of ?? "",
    row.created_at.toISOString(),
  ];
}

/** The source of a commission that is not for a payment. */
function sourceOf({ lead, recruit_email, recruit_commission_id }: CommissionListRow): Cell[] {
  return [lead ?? "", recruit_email ?? "", recruit_commission_id ?? ""];
}

/** Why commissions are void, by commission. */
async function findVoidReasons(
  sql: Connection,
  organizationId: string,
  rows: readonly CommissionListRow[],
): Promise<Map<string, string>> {
  const voided = rows.filter(({ payout_status }) => payout_status === "voided");
  if (voided.length === 0) return new Map();
  const ids = voided.map(({ id }) => id);
  const voided_by = await findVoidedBy(sql, organizationId, voided);
  const corrections = await findCorrections(sql, organizationId, ids);
  const by_person = new Set(corrections.filter((row) => row.voided === true).map((row) => row.commission_id));
  return new Map(ids.map((id) => [id, voided_by.get(id) ?? (by_person.has(id) ? "person" : "decision")]));
}
