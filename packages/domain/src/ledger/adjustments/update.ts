import type { Issue } from "@findersfee/contract/errors";
import {
  type Adjustment,
  type UpdateAdjustment,
  updateAdjustmentInput,
} from "@findersfee/contract/ledger/adjustments";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import {
  type AdjustmentRow,
  findAdjustment,
  lockAdjustment,
  restoreAdjustment,
  withdrawAdjustment,
} from "@findersfee/database/ledger/adjustments";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import { AFFILIATE_ERASED } from "../../affiliates/erased.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField, notFound, requireNoIssues } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { adjustmentFields, viewAdjustment } from "./view.ts";

/**
 * Withdraws an adjustment, or restores it. One in a payout stays unchanged: an opposite adjustment answers it. Errors:
 * `not_found`, `adjustment_locked`, `invalid_request`.
 */
export async function updateAdjustment(context: Context, input: UpdateAdjustment): Promise<Adjustment> {
  return await inTransaction(context, async (sql) => await updateAdjustmentWithin(sql, context, input));
}

/** The same within a transaction of the caller. */
export async function updateAdjustmentWithin(
  sql: Transaction,
  context: Context,
  input: UpdateAdjustment,
): Promise<Adjustment> {
  const { before, is_erased } = await lock(sql, context, input.id);
  requireWritable(before, input);
  const { payout_status = before.payout_status } = input;
  if (payout_status === before.payout_status) return viewAdjustment(before);
  if (payout_status === "not_paid" && is_erased) throw invalidField("payout_status", AFFILIATE_ERASED);
  await setStatus(sql, context, { before, payout_status });
  const after = { ...before, payout_status };
  await writeAuditEntry(sql, context, {
    resource: "adjustment",
    id: before.id,
    action: "updated",
    before: adjustmentFields(before),
    after: adjustmentFields(after),
    currency: before.currency,
  });
  return viewAdjustment(after);
}

/** Throws the `invalid_request` that `updateAdjustment` would throw for this input, and changes nothing. */
export async function checkAdjustmentUpdate(
  { database, organization }: Context,
  input: UpdateAdjustment,
): Promise<void> {
  const row = await findAdjustment(database, organization.id, input.id);
  if (row !== null) requireWritable(row, input);
}

/** Locks the affiliate first, as its erasure does. */
async function lock(
  sql: Transaction,
  { organization }: Context,
  id: string,
): Promise<{ before: AdjustmentRow; is_erased: boolean }> {
  const found = await findAdjustment(sql, organization.id, id);
  if (found === null) throw notFound("adjustment");
  const affiliate = await lockAffiliate(sql, organization.id, found.affiliate_id);
  await lockAdjustment(sql, organization.id, found.id);
  const before = await findAdjustment(sql, organization.id, found.id);
  if (before === null || affiliate === null) throw notFound("adjustment");
  return { before, is_erased: affiliate.erased_at !== null };
}

function requireWritable(row: AdjustmentRow, input: UpdateAdjustment): void {
  const issues: Issue[] = readOnlyIssues(updateAdjustmentInput, input, viewAdjustment(row));
  const { payout_status = row.payout_status } = input;
  if (payout_status !== row.payout_status && payout_status !== "voided" && payout_status !== "not_paid") {
    issues.push({ path: "payout_status", message: "Only payouts make an adjustment pending or paid." });
  }
  requireNoIssues(issues);
}

async function setStatus(
  sql: Transaction,
  { organization, actor }: Context,
  { before, payout_status }: { before: AdjustmentRow; payout_status: AdjustmentRow["payout_status"] },
): Promise<void> {
  const change = { id: before.id, cause: actorText(actor) };
  if (payout_status === "voided") {
    // Also false if a run takes it now.
    if (!(await withdrawAdjustment(sql, organization.id, change))) throw new DomainError("adjustment_locked");
    return;
  }
  if (before.payout_status !== "voided") throw new DomainError("adjustment_locked");
  await restoreAdjustment(sql, organization.id, change);
}
