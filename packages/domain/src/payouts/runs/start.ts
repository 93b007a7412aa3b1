import type { StartedPayoutRun, StartPayoutRun } from "@findersfee/contract/payouts/runs";
import { lockSettings } from "@findersfee/database/organizations/settings";
import { listRunTotals } from "@findersfee/database/payouts/run-totals";
import { findLastPeriod, findPayoutRun, insertPayoutRun } from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { periodOf } from "./period.ts";
import { payoutRunFields, viewPayoutRun } from "./view.ts";

/**
 * Starts the payout run of a month with the organization's current settings; `pay.ts` creates the payouts, in the worker. An
 * unfinished run continues and is returned unchanged.
 *
 * Errors: `payout_locked` for a month that already has a run or is before one that has; `invalid_request` for a future
 * month.
 */
export async function startPayoutRun(context: Context, input: StartPayoutRun): Promise<StartedPayoutRun> {
  const organization_id = context.organization.id;
  const now = new Date();
  const period = input.period ?? periodOf(now);
  if (period > periodOf(now)) throw invalidField("period", "Must not be in the future.");
  return await inTransaction(context, async (sql) => {
    // Locked, so that of two concurrent starts the second one sees the first.
    const { currency, minimum_payouts } = await lockSettings(sql, organization_id);
    const id = newId(now);
    await insertPayoutRun(sql, organization_id, {
      id,
      period,
      cutoff_at: now,
      minimum_payouts,
      currency,
      method: input.method,
      started_by: actorText(context.actor),
      created_at: now,
    });
    const run = await requireOpen(sql, organization_id, period);
    await notifyWorkers(sql, "payout_runs", [organization_id]);
    const started = viewPayoutRun(run, await listRunTotals(sql, organization_id, [run.id]));
    const is_new = run.id === id;
    // An existing run continues, without a new audit log entry.
    if (is_new) {
      const after = payoutRunFields(started);
      await writeAuditEntry(sql, context, {
        resource: "payout_run",
        id,
        action: "created",
        before: null,
        after,
      });
    }
    return { ...started, is_new };
  });
}

async function requireOpen(sql: Connection, organization_id: string, period: string) {
  const last = await findLastPeriod(sql, organization_id);
  const run = await findPayoutRun(sql, organization_id, { period });
  if (run === null) throw new Error(`the payout run of ${period} was not written`);
  if (run.finished_at !== null || (last !== null && last > period)) {
    throw new DomainError("payout_locked", {
      message: `The period ${period} is closed; commissions that became due since are in the next run.`,
    });
  }
  return run;
}
