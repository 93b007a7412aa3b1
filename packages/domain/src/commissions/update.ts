import type { Commission, UpdateCommission } from "@findersfee/contract/commissions";
import {
  type CommissionValues,
  lockCommission,
  updateCommission as updateRow,
} from "@findersfee/database/commissions";
import type { Connection } from "@findersfee/database/connect";
import { upsertCorrection } from "@findersfee/database/customer-settlement";
import { findTakenBack } from "@findersfee/database/payment-decisions";
import type { CommissionRow } from "@findersfee/database/rows";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { amountsToMinor } from "./amounts.ts";
import { explainConflict } from "./conflicts.ts";
import { viewCommission } from "./view.ts";

/**
 * Changes what the input says and leaves the rest. What is in a payout stays as it is.
 * Errors: `not_found`, `commission_locked`, `commission_exists`, `invalid_request`.
 */
export async function updateCommission(context: Context, input: UpdateCommission): Promise<Commission> {
  const { organization } = context;
  const { id, ...said } = input;
  try {
    return await change(context, async (sql) => {
      const before = await lockCommission(sql, organization.id, id);
      if (before === null) throw notFound("commission");
      // Saying nothing changes nothing, in whatever state.
      if (Object.values(said).every((value) => value === undefined)) {
        return viewCommission(before, organization.currency);
      }
      if (isLocked(before.payout_status)) throw new DomainError("commission_locked");
      const values = changedValues(before, said);
      await updateRow(sql, organization.id, { id, values, cause: context.actor });
      await keepCorrection(sql, organization.id, { id, said, values });
      return viewCommission({ ...before, ...values }, organization.currency);
    });
  } catch (error) {
    throw await explainConflict(context, error, input.processor_payment_id);
  }
}

/**
 * A commission of a payment is worked out again whenever something is told of its customer: what was set by
 * hand must stand then, and only that.
 */
async function keepCorrection(
  sql: Connection,
  organizationId: string,
  { id, said, values }: { id: string; said: Omit<UpdateCommission, "id">; values: CommissionValues },
): Promise<void> {
  // Restored, it stands with the amounts that it has now.
  const restored = said.payout_status === "not_paid";
  await upsertCorrection(sql, organizationId, {
    commission_id: id,
    revenue_minor: restored || said.revenue_amount !== undefined ? values.revenue_minor : null,
    commission_minor: restored || said.commission_amount !== undefined ? values.commission_minor : null,
    taken_back_minor: (await findTakenBack(sql, organizationId, id)) ?? 0n,
    voided: said.payout_status === undefined ? null : !restored,
    referral_date: said.referral_date === undefined ? null : values.referral_date,
    corrected_at: new Date(),
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
