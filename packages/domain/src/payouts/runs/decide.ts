import type { PayoutRun } from "@findersfee/contract/payouts/runs";
import { decideRun } from "@findersfee/database/payouts/approvals";
import { listRunTotals } from "@findersfee/database/payouts/run-totals";
import { findPayoutRun, lockPayoutRun, type PayoutRunWithCountRow } from "@findersfee/database/payouts/runs";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { viewPayoutRun } from "./view.ts";

interface Decision {
  id: string;
  reason?: string | undefined;
}

/**
 * Approves a run that waits for it: a worker then creates its payouts, at most for the amounts that it waited with. The person who
 * started the run, or made the key that did, cannot; `payout_runs_second_person` holds this, too.
 *
 * @throws DomainError `not_found`; `payout_locked` for a run that does not wait; `forbidden_role`
 */
export async function approvePayoutRun(context: Context, decision: Decision): Promise<PayoutRun> {
  return await decide(context, { ...decision, approval: "approved" });
}

/**
 * Declines a run that waits. It ends without payouts, and the amounts stay due. The person who started the
 * run can also decline it, so that no run waits for ever.
 *
 * @throws DomainError `not_found`; `payout_locked` for a run that does not wait
 */
export async function declinePayoutRun(context: Context, decision: Decision): Promise<PayoutRun> {
  return await decide(context, { ...decision, approval: "declined" });
}

async function decide(
  context: Context,
  { id, reason = "", approval }: Decision & { approval: "approved" | "declined" },
): Promise<PayoutRun> {
  const { organization, actor } = context;
  if (actor.kind !== "user") throw new DomainError("not_a_member");
  return await inTransaction(context, async (sql) => {
    await lockPayoutRun(sql, organization.id, id);
    const before = await requireRun(sql, organization.id, id);
    if (approval === "approved" && before.starter_id === actor.id) {
      throw new DomainError("forbidden_role", {
        message: "You started this run, or made the key that did. Another owner or admin has to approve it.",
      });
    }
    const decision_reason = reason === "" ? null : reason;
    const decided = { id, approval, decided_by: actor.id, decided_at: new Date(), decision_reason };
    if (!(await decideRun(sql, organization.id, decided))) throw notWaiting(before);
    await writeAuditEntry(sql, context, {
      resource: "payout_run",
      id,
      action: "updated",
      before: { approval: "waiting", reason: null },
      after: { approval, reason: decision_reason },
    });
    if (approval === "approved") await notifyWorkers(sql, "payout_runs", [organization.id]);
    const after = await requireRun(sql, organization.id, id);
    return viewPayoutRun(after, await listRunTotals(sql, organization.id, [id]));
  });
}

async function requireRun(
  sql: Transaction,
  organization_id: string,
  id: string,
): Promise<PayoutRunWithCountRow> {
  const run = await findPayoutRun(sql, organization_id, { id });
  if (run === null) throw notFound("payout run");
  return run;
}

function notWaiting({ approval }: PayoutRunWithCountRow): DomainError {
  const message =
    approval === null
      ? "This run needs no approval."
      : `This run was ${approval} in the meantime. Nothing was changed.`;
  return new DomainError("payout_locked", { message });
}
