import type { Adjustment, CreateAdjustment } from "@findersfee/contract/ledger/adjustments";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { type AdjustmentRow, insertAdjustment } from "@findersfee/database/ledger/adjustments";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../../actor.ts";
import { AFFILIATE_ERASED } from "../../affiliates/erased.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { amountsToMinor } from "../../money.ts";
import { inTransaction } from "../../transaction.ts";
import { adjustmentFields, viewAdjustment } from "./view.ts";

/**
 * Changes an affiliate's balance by a signed amount, which is due at once. The affiliate may be banned or
 * unapproved: its earlier payouts can still be wrong. Errors: `not_found` (affiliate, commission),
 * `invalid_request`.
 */
export async function createAdjustment(context: Context, input: CreateAdjustment): Promise<Adjustment> {
  const { organization } = context;
  const currency = input.currency ?? organization.currency;
  return await inTransaction(context, async (sql) => {
    const { amount: amount_minor } = amountsToMinor({ amount: input.amount }, currency);
    // Locked, so that an erasure of the affiliate sees the balance, or the adjustment sees the erasure.
    const affiliate = await lockAffiliate(sql, organization.id, input.affiliate_id);
    if (affiliate === null) throw notFound("affiliate");
    if (affiliate.erased_at !== null) throw invalidField("affiliate_id", AFFILIATE_ERASED);
    const commission_id = await requireCommission(sql, context, { ...input, currency });
    const reason = input.reason.trim();
    const values = { affiliate_id: affiliate.id, currency, amount_minor, reason, commission_id };
    return viewAdjustment(await insertAdjustmentWithin(sql, context, values));
  });
}

/** Inserts an adjustment within a transaction of the caller, who has locked the affiliate. */
export async function insertAdjustmentWithin(
  sql: Transaction,
  context: Context,
  values: Pick<AdjustmentRow, "affiliate_id" | "currency" | "amount_minor" | "reason" | "commission_id">,
): Promise<AdjustmentRow> {
  const { organization, actor } = context;
  const created_at = new Date();
  const inserted = { id: newId(created_at), ...values, created_at };
  await insertAdjustment(sql, organization.id, { ...inserted, cause: actorText(actor) });
  const row: AdjustmentRow = { ...inserted, payout_status: "not_paid", payout_id: null };
  await writeAuditEntry(sql, context, {
    resource: "adjustment",
    id: row.id,
    action: "created",
    before: null,
    after: adjustmentFields(row),
    currency: row.currency,
  });
  return row;
}

/** Throws the `invalid_request` that `createAdjustment` would throw for this amount, and creates nothing. */
export function checkAdjustmentCreation({ organization }: Context, input: CreateAdjustment): void {
  amountsToMinor({ amount: input.amount }, input.currency ?? organization.currency);
}

/** The id of the commission that the adjustment corrects; null: it names none. */
async function requireCommission(
  sql: Transaction,
  { organization }: Context,
  { commission_id, affiliate_id, currency }: CreateAdjustment & { currency: string },
): Promise<string | null> {
  if (commission_id === undefined) return null;
  const commission = await findCommission(sql, organization.id, commission_id);
  if (commission === null) throw notFound("commission");
  if (commission.affiliate.id !== affiliate_id.toLowerCase())
    throw invalidField("commission_id", "The commission belongs to another affiliate.");
  if (commission.currency !== currency)
    throw invalidField("commission_id", `The commission is in ${commission.currency}.`);
  return commission.id;
}
