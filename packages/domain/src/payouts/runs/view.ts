import type { PayoutRun, PayoutRunTotal } from "@findersfee/contract/payouts/runs";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { RunTotalRow } from "@findersfee/database/payouts/run-totals";
import type { PayoutRunWithCountRow } from "@findersfee/database/payouts/runs";
import { toMajor } from "../../money.ts";
import { viewMinimums } from "./minimum.ts";
import { viewRates } from "./view-rates.ts";

/** A run with its sums; `totals` may be of several runs. */
export function viewPayoutRun(row: PayoutRunWithCountRow, totals: readonly RunTotalRow[]): PayoutRun {
  return {
    id: row.id,
    period: row.period,
    number: row.number,
    affiliate_ids: row.affiliate_ids,
    time_zone: row.time_zone,
    cutoff_at: row.cutoff_at.toISOString(),
    minimum_payouts: viewMinimums(row.minimum_payouts),
    ...viewRates(row),
    method: row.method,
    started_by: row.started_by,
    started_by_name: row.started_by_name,
    payouts: row.payouts,
    totals: viewTotals(totals.filter(({ run_id }) => run_id === row.id)),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    approval: viewApproval(row),
  };
}

/** The decision of a second member, open or made; null: none is needed. */
export function viewApproval(row: PayoutRunWithCountRow): PayoutRun["approval"] {
  if (row.approval === null) return null;
  const totals = Object.entries(row.confirmed ?? {}).map(([currency, { payouts, amount_minor }]) => ({
    currency,
    payouts,
    amount: toMajor(BigInt(amount_minor), currency),
  }));
  return {
    state: row.approval,
    totals: totals.sort((a, b) => a.currency.localeCompare(b.currency, "en")),
    starter_id: row.starter_id,
    decided_by: row.decided_by,
    decided_by_name: row.decided_by_name,
    decided_at: row.decided_at?.toISOString() ?? null,
    reason: row.decision_reason,
  };
}

function viewTotals(rows: readonly RunTotalRow[]): PayoutRunTotal[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    return {
      currency,
      payouts: own.reduce((sum, { payouts }) => sum + payouts, 0),
      amount: toMajor(
        own.reduce((sum, { amount_minor }) => sum + amount_minor, 0n),
        currency,
      ),
      statuses: own.map(({ status, payouts, amount_minor }) => ({
        status,
        payouts,
        amount: toMajor(amount_minor, currency),
      })),
    };
  });
}

/** The fields in the audit log. */
export function payoutRunFields({
  period,
  number,
  affiliate_ids,
  time_zone,
  cutoff_at,
  minimum_payouts,
  method,
  approval,
}: PayoutRun): AuditedFields {
  const fields = { period, number, affiliate_ids, time_zone, cutoff_at, minimum_payouts, method };
  return approval === null ? fields : { ...fields, approval: approval.state };
}
