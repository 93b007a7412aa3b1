import { payoutStatuses } from "@findersfee/contract/payouts/payouts";
import {
  MAX_STATEMENT_LINES,
  type PayoutDetail,
  type StatementLine,
} from "@findersfee/contract/payouts/rows";
import { listAuditEntries, type NamedAuditEntryRow } from "@findersfee/database/audit-log/entries";
import { listPayoutEntries } from "@findersfee/database/ledger/entries";
import { listPayoutLines, listPayoutRows, type PayoutLineRow } from "@findersfee/database/payouts/list-rows";
import { findPayoutRun } from "@findersfee/database/payouts/runs";
import { z } from "zod";
import type { Context } from "../context.ts";
import { shownEmail } from "../customers/referrals/shown-email.ts";
import { notFound } from "../errors.ts";
import { viewLineAdjustment } from "../ledger/adjustments/view.ts";
import { viewEntry } from "../ledger/list-entries.ts";
import { toMajor } from "../money.ts";
import { viewPayoutRow } from "./list-rows.ts";
import { referenceOf } from "./reference.ts";

/** The time zone of payouts that no run created. */
const WITHOUT_RUN = "UTC";

/** A payout moves three times at most: to processing, paid, and failed if the money came back. */
const MAX_MOVES = 20;

/** A payout with its history, its ledger entries and the commissions and adjustments that it was created from. Errors: `not_found`. */
export async function explainPayout(context: Context, id: string): Promise<PayoutDetail> {
  const { database, organization } = context;
  const [row] = await listPayoutRows(database, organization.id, {
    filter: { statuses: payoutStatuses, text: { ids: [id] } },
    range: { after: null, before: null, limit: 1 },
    most: null,
  });
  if (row === undefined) throw notFound("payout");
  const [run, moves, ledger, lines] = await Promise.all([
    row.run_id === null ? null : findPayoutRun(database, organization.id, { id: row.run_id }),
    listAuditEntries(database, organization.id, {
      filter: { resource: "payout", resource_id: row.id },
      range: { from_id: null, below_id: null, limit: MAX_MOVES },
    }),
    listPayoutEntries(database, organization.id, id),
    listPayoutLines(database, organization.id, { payout_id: id, limit: MAX_STATEMENT_LINES }),
  ]);
  const started_by = run?.started_by ?? "operator";
  return {
    ...viewPayoutRow(row),
    time_zone: run?.time_zone ?? WITHOUT_RUN,
    is_erased: row.is_erased,
    reference: referenceOf(id),
    run: run && { id: run.id, number: run.number, started_by, started_by_name: run.started_by_name },
    history: [
      {
        status: "pending",
        at: row.created_at.toISOString(),
        actor: started_by,
        actor_name: run?.started_by_name ?? null,
        reason: null,
      },
      ...moves.reverse().flatMap(viewMove),
    ],
    ledger: ledger.map(viewEntry),
    lines: lines.map((line) => viewLine(line, row.currency)),
  };
}

const movedFields = z.object({ status: z.enum(payoutStatuses), reason: z.string().nullable().default(null) });

function viewMove({ after, actor, actor_name, created_at }: NamedAuditEntryRow): PayoutDetail["history"] {
  const moved = movedFields.safeParse(after);
  return moved.success ? [{ ...moved.data, at: created_at.toISOString(), actor, actor_name }] : [];
}

function viewLine(line: PayoutLineRow, currency: string): StatementLine {
  return {
    id: line.id,
    referral_date: line.referral_date.toISOString(),
    customer_email: line.customer_email,
    statement_customer: line.customer_email && shownEmail(line.customer_email, line),
    revenue_amount:
      line.revenue_minor === null || line.lead !== null ? null : toMajor(line.revenue_minor, currency),
    amount: toMajor(line.commission_minor, currency),
    reversal_of: line.reversal_of,
    lead: line.lead,
    adjustment: viewLineAdjustment(line),
  };
}
