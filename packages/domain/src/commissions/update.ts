import type { Commission, UpdateCommission } from "@findersfee/contract/commissions";
import {
  type CommissionValues,
  lockCommission,
  updateCommission as updateRow,
} from "@findersfee/database/commissions";
import type { Transaction } from "@findersfee/database/connect";
import { upsertCorrection } from "@findersfee/database/customer-settlement";
import { findCommissionsPayment } from "@findersfee/database/payment-decisions";
import { lockPayments } from "@findersfee/database/processor-work";
import type { CommissionRow } from "@findersfee/database/rows";
import { change } from "../change.ts";
import { commissionFields } from "../changes/fields.ts";
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { settleCustomers } from "../payments/apply.ts";
import { amountsToMinor } from "./amounts.ts";
import { explainConflict } from "./conflicts.ts";
import { viewCommission } from "./view.ts";

/**
 * Changes what the input says and leaves the rest. What is in a payout stays as it is.
 * Errors: `not_found`, `commission_locked`, `commission_exists`, `invalid_request`.
 */
export async function updateCommission(context: Context, input: UpdateCommission): Promise<Commission> {
  try {
    return await change(context, (sql) => update(sql, context, input));
  } catch (error) {
    throw await explainConflict(context, error, input.processor_payment_id);
  }
}

async function update(sql: Transaction, context: Context, input: UpdateCommission): Promise<Commission> {
  const { organization } = context;
  const { id, ...said } = input;
  const is_of_payment = (await findCommissionsPayment(sql, organization.id, id)) !== null;
  // Before the commission's row: the workers take the two in this order.
  if (is_of_payment) await lockPayments(sql, organization.id);
  const before = await lockCommission(sql, organization.id, id);
  if (before === null) throw notFound("commission");
  // Saying nothing changes nothing, in whatever state.
  if (Object.values(said).every((value) => value === undefined)) {
    return viewCommission(before, organization.currency);
  }
  if (isLocked(before.payout_status)) throw new DomainError("commission_locked");
  const values = changedValues(before, said);
  await updateRow(sql, organization.id, { id, values, cause: context.actor });
  await keepCorrection(sql, context, { id, said, values });
  await recordChange(sql, context, {
    resource: "commission",
    id: before.id,
    action: "updated",
    before: commissionFields(before),
    after: commissionFields({ ...before, ...values }),
    currency: before.currency,
  });
  return viewCommission({ ...before, ...values }, organization.currency);
}

/**
 * A commission of a payment is worked out again whenever something is told of its customer: what was set by
 * hand must stand then, and only that. What was added to it since is worked out again at once.
 */
async function keepCorrection(
  sql: Transaction,
  { organization, actor }: Context,
  { id, said, values }: { id: string; said: Omit<UpdateCommission, "id">; values: CommissionValues },
): Promise<void> {
  const payment = await findCommissionsPayment(sql, organization.id, id);
  // Restored, it stands with the amounts that it has now.
  const restored = said.payout_status === "not_paid";
  await upsertCorrection(sql, organization.id, {
    commission_id: id,
    revenue_minor: restored || said.revenue_amount !== undefined ? values.revenue_minor : null,
    commission_minor: restored || said.commission_amount !== undefined ? values.commission_minor : null,
    taken_back_minor: payment?.taken_back_minor ?? 0n,
    voided: said.payout_status === undefined ? null : !restored,
    referral_date: said.referral_date === undefined ? null : values.referral_date,
    corrected_at: new Date(),
  });
  if (payment === null) return;
  await settleCustomers(sql, organization, { customer_ids: [payment.customer_id], cause: actor });
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

function changedValues(before: CommissionRow, said: Omit<UpdateCommission, "id">) {
  const { revenue_amount, commission_amount } = said;
  const minor = amountsToMinor(
    {
      ...(revenue_amount === undefined ? {} : { revenue_amount }),
      ...(commission_amount === undefined ? {} : { commission_amount }),
    } as Record<"revenue_amount" | "commission_amount", number>,
    before.currency,
  ) as Partial<Record<"revenue_amount" | "commission_amount", bigint>>;
  return {
    revenue_minor: minor.revenue_amount ?? before.revenue_minor,
    commission_minor: minor.commission_amount ?? before.commission_minor,
    payout_status: said.payout_status ?? before.payout_status,
    referral_date: said.referral_date === undefined ? before.referral_date : new Date(said.referral_date),
    processor_payment_id:
      said.processor_payment_id === undefined ? before.processor_payment_id : said.processor_payment_id,
  };
}
