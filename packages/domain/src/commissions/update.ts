import {
  type Commission,
  type UpdateCommission,
  updateCommissionInput,
} from "@findersfee/contract/commissions/commissions";
import type { Issue } from "@findersfee/contract/errors";
import { processorNames } from "@findersfee/contract/processors/processors";
import { readOnlyIssues } from "@findersfee/contract/read-only";
import {
  type CommissionsPayment,
  findCommissionsPayment,
  upsertCorrection,
} from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { type CommissionChange, updateCommissions } from "@findersfee/database/commissions/changes";
import {
  type CommissionValues,
  findCommission,
  isReplaced,
  lockCommission,
} from "@findersfee/database/commissions/commissions";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { CommissionRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import { reattributeCustomers } from "../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound, requireNoIssues } from "../errors.ts";
import { postingsOfChange } from "../ledger/postings.ts";
import { amountToMinor } from "../money.ts";
import { inTransaction } from "../transaction.ts";
import { explainConflict } from "./conflicts.ts";
import { commissionFields, viewCommission } from "./view.ts";

/**
 * Changes the given fields. A commission in a payout stays unchanged. A field with its current value counts as omitted.
 *
 * Errors: `not_found`, `commission_locked`, `commission_exists`, `invalid_request`.
 */
export async function updateCommission(context: Context, input: UpdateCommission): Promise<Commission> {
  try {
    return await inTransaction(context, async (sql) => (await updateWithin(sql, context, input)).commission);
  } catch (error) {
    throw await explainConflict(context, error, input.processor_payment_id);
  }
}

/** The same within a transaction of the caller. */
export async function updateWithin(
  sql: Transaction,
  context: Context,
  input: UpdateCommission,
): Promise<{ commission: Commission; was_changed: boolean }> {
  const { organization } = context;
  const { id } = input;
  const is_of_payment = (await findCommissionsPayment(sql, organization.id, id)) !== null;
  // Locked before the commission's row, in the same order as the workers.
  if (is_of_payment) await lockPayments(sql, organization.id);
  const before = await lockCommission(sql, organization.id, id);
  if (before === null) throw notFound("commission");
  const values = updatedValues(before, input, organization.currency);
  const changed = changedFields(before, values);
  // Without a change, its state does not matter.
  if (changed.size === 0) {
    return { commission: viewCommission(before, organization.currency), was_changed: false };
  }
  if (isLocked(before.payout_status)) throw new DomainError("commission_locked");
  if (changesAmount(changed) && (await isReplaced(sql, organization.id, id))) throw superseded();
  const change = commissionChange(before, values, actorText(context.actor));
  await updateCommissions(sql, organization.id, { changes: [change], postings: postingsOfChange(change) });
  await storeCorrection(sql, context, { before, changed, values });
  await writeAuditEntry(sql, context, {
    resource: "commission",
    id: before.id,
    action: "updated",
    before: commissionFields(before),
    after: commissionFields({ ...before, ...values }),
    currency: before.currency,
  });
  return { commission: viewCommission({ ...before, ...values }, organization.currency), was_changed: true };
}

function commissionChange(
  row: NonNullable<Awaited<ReturnType<typeof lockCommission>>>,
  values: CommissionValues,
  cause: string,
): CommissionChange {
  const { affiliate, referral, payout: _, ...commission } = row;
  const before = { ...commission, affiliate_id: affiliate.id };
  return { before, after: { ...before, referral_id: referral.id, ...values, cause } };
}

/**
 * Stores manual values, which attribution keeps when it decides about the payment again. It does so at once where the
 * edit can change other rows: amounts change the reversals of the commission.
 */
async function storeCorrection(
  sql: Transaction,
  { organization, actor }: Context,
  {
    before,
    changed,
    values,
  }: { before: CommissionRow; changed: ReadonlySet<keyof CommissionValues>; values: CommissionValues },
): Promise<void> {
  const payment = await findCommissionsPayment(sql, organization.id, before.id);
  // A restored commission keeps the amounts that it has now.
  const restored = changed.has("payout_status") && values.payout_status === "not_paid";
  await upsertCorrection(sql, organization.id, {
    commission_id: before.id,
    revenue_minor: restored || changed.has("revenue_minor") ? values.revenue_minor : null,
    commission_minor: restored || changed.has("commission_minor") ? values.commission_minor : null,
    reversed_minor: payment?.reversed_minor ?? 0n,
    voided: changed.has("payout_status") ? !restored : null,
    referral_date: changed.has("referral_date") ? values.referral_date : null,
    corrected_at: new Date(),
  });
  if (payment === null) return;
  const names = [before.processor_payment_id, values.processor_payment_id];
  if (changesAmount(changed) || (await namesOtherPayment(sql, organization.id, { payment, names }))) {
    await reattributeCustomers(sql, organization, {
      customer_ids: [payment.customer_id],
      cause: actorText(actor),
    });
  }
}

/** Whether one of these ids stands for a payment that processors reported, other than the commission's own. */
async function namesOtherPayment(
  sql: Transaction,
  organizationId: string,
  { payment, names: [before, after] }: { payment: CommissionsPayment; names: (string | null | undefined)[] },
): Promise<boolean> {
  if (before === after) return false;
  // Whether a decision returns to the charge that it was taken over from depends on the id.
  if (payment.taken_over_from !== null) return true;
  const others = [before, after].filter((id) => typeof id === "string" && id !== payment.payment_id);
  const keys = others.flatMap((id) => processorNames.map((name) => `${name}:payment:${id}`));
  return keys.length > 0 && (await findCustomerKeys(sql, organizationId, keys)).size > 0;
}

function changesAmount(changed: ReadonlySet<keyof CommissionValues>): boolean {
  return changed.has("payout_status") || changed.has("commission_minor") || changed.has("revenue_minor");
}

/** Voiding one of two amounts that cancel each other out would pay or deduct the other one. */
function superseded(): DomainError {
  return new DomainError("commission_locked", {
    message:
      "A later commission of this payment cancels this one out; change the latest one, or the commission that was reversed.",
  });
}

function isLocked(status: CommissionRow["payout_status"]): boolean {
  switch (status) {
    case "not_paid":
    case "voided":
      return false;
    case "pending":
    case "paid":
      return true;
  }
}

/**
 * Throws the `invalid_request` that `updateCommission` would throw for this input, and changes nothing. A
 * commission that does not exist has no issues.
 */
export async function checkCommissionUpdate(
  { database, organization }: Context,
  input: UpdateCommission,
): Promise<void> {
  const row = await findCommission(database, organization.id, input.id);
  if (row !== null) updatedValues(row, input, organization.currency);
}

/** The commission's values after the update. Throws `invalid_request` with all issues. */
function updatedValues(before: CommissionRow, input: UpdateCommission, currency: string): CommissionValues {
  const { payout_status = before.payout_status, processor_payment_id, referral_date } = input;
  const issues: Issue[] = readOnlyIssues(updateCommissionInput, input, viewCommission(before, currency));
  if (payout_status !== before.payout_status && isLocked(payout_status)) {
    issues.push({ path: "payout_status", message: "Only payouts make a commission pending or paid." });
  }
  const minor = (path: "revenue_amount" | "commission_amount", current: bigint): bigint => {
    const amount = input[path];
    return amount === undefined
      ? current
      : amountToMinor({ path, amount, currency: before.currency, issues });
  };
  const values: CommissionValues = {
    revenue_minor: minor("revenue_amount", before.revenue_minor),
    commission_minor: minor("commission_amount", before.commission_minor),
    payout_status,
    referral_date: referral_date === undefined ? before.referral_date : new Date(referral_date),
    processor_payment_id:
      processor_payment_id === undefined ? before.processor_payment_id : processor_payment_id,
  };
  requireNoIssues(issues);
  return values;
}

function changedFields(before: CommissionRow, values: CommissionValues): Set<keyof CommissionValues> {
  const names = ["revenue_minor", "commission_minor", "payout_status", "processor_payment_id"] as const;
  const changed = new Set<keyof CommissionValues>(names.filter((name) => values[name] !== before[name]));
  if (values.referral_date.getTime() !== before.referral_date.getTime()) changed.add("referral_date");
  return changed;
}
