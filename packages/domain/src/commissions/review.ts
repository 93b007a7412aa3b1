import type {
  ApproveCommission,
  Commission,
  RejectCommission,
} from "@findersfee/contract/commissions/commissions";
import type { ChangedCommissions } from "@findersfee/contract/commissions/rows";
import {
  type CommissionsPayment,
  findCommissionsLead,
  findCommissionsPayment,
  upsertCorrection,
  withdrawVoid,
} from "@findersfee/database/attribution/customers";
import type { LeadRow } from "@findersfee/database/attribution/leads";
import { lockCommission } from "@findersfee/database/commissions/commissions";
import { decideReview } from "@findersfee/database/commissions/reviews";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { actorText } from "../actor.ts";
import { reattributeCustomers } from "../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { followRecruits } from "../ledger/recruits.ts";
import { inTransaction } from "../transaction.ts";
import { changeEach } from "./change-each.ts";
import { follows } from "./recruit-line.ts";
import { type LockedCommission, setPayoutStatus } from "./update.ts";
import { commissionFields, viewCommission } from "./view.ts";

/**
 * Approves a commission: payout runs pay it once its holding period is over. A rejected commission gets the
 * present earnings of its payment. An approved one stays unchanged. Errors: `not_found`, `commission_locked`
 * for one that needs no review.
 */
export async function approveCommission(
  context: Context,
  { id, reason = null }: Omit<ApproveCommission, "reason"> & { reason?: string | null | undefined },
): Promise<Commission> {
  return await decideOne(context, { id, state: "approved", reason });
}

/**
 * Rejects a commission that waits for a review: it is voided, and stays so when its payment earns again. One that is
 * rejected already stays unchanged. Errors: `not_found`, `commission_locked` for one that does not wait.
 */
export async function rejectCommission(
  context: Context,
  { id, reason }: RejectCommission,
): Promise<Commission> {
  return await decideOne(context, { id, state: "rejected", reason });
}

/** Approves or rejects commissions, all or none. Errors as for one, with the commission in `details`. */
export async function decideReviews(
  context: Context,
  { ids, ...decision }: { ids: readonly string[] } & Omit<Decision, "id">,
): Promise<ChangedCommissions> {
  return await changeEach(
    context,
    ids,
    async (sql, id) => await decideWithin(sql, context, { id, ...decision }),
  );
}

interface Decision {
  id: string;
  state: "approved" | "rejected";
  reason: string | null;
}

async function decideOne(context: Context, decision: Decision): Promise<Commission> {
  return await inTransaction(context, async (sql) => {
    await decideWithin(sql, context, decision);
    const after = await lockCommission(sql, context.organization.id, decision.id);
    if (after === null) throw notFound("commission");
    return viewCommission(after, context.organization.currency);
  });
}

/** The same within a transaction of the caller. False: it was decided so before. */
export async function decideWithin(
  sql: Transaction,
  context: Context,
  { id, state, reason }: Decision,
): Promise<boolean> {
  const { organization, actor } = context;
  const payment = await findCommissionsPayment(sql, organization.id, id);
  // Locked before the commission's row, in the same order as the workers.
  const lead = payment === null ? await findCommissionsLead(sql, organization.id, id) : null;
  if (payment !== null || lead !== null) await lockPayments(sql, organization.id);
  const before = await lockCommission(sql, organization.id, id);
  if (before === null) throw notFound("commission");
  if (before.review_state === state) return false;
  requireDecidable(before, state);
  const decision_reason = reason?.trim() ? reason.trim() : null;
  if (state === "rejected") await voidCommission(sql, context, { before, payment, lead });
  const decided = { decided_by: actorText(actor), decided_at: new Date(), decision_reason };
  await decideReview(sql, organization.id, { id, state, ...decided });
  if (before.review_state === "rejected") await restoreCommission(sql, context, { before, payment, lead });
  await followRecruits(sql, organization.id, { root_ids: [id], cause: decided.decided_by });
  const after = await lockCommission(sql, organization.id, id);
  if (after === null) throw notFound("commission");
  await writeAuditEntry(sql, context, {
    resource: "commission",
    id: before.id,
    action: "updated",
    before: { ...commissionFields(before), reason: null },
    after: { ...commissionFields(after), reason: decision_reason },
    currency: before.currency,
  });
  return true;
}

function requireDecidable(
  { review_state, recruit_commission_id }: LockedCommission,
  state: Decision["state"],
): void {
  if (recruit_commission_id !== null) throw follows(recruit_commission_id);
  if (review_state === "pending" || (review_state === "rejected" && state === "approved")) return;
  throw new DomainError("commission_locked", {
    message:
      state === "approved"
        ? "This commission needs no review."
        : "Only a commission in review can be rejected; void this one instead.",
  });
}

interface Locked {
  before: LockedCommission;
  payment: CommissionsPayment | null;
  /** The lead that earned it; null: none. */
  lead: LeadRow | null;
}

/** A void one stays so when its payment earns again. */
async function voidCommission(
  sql: Transaction,
  context: Context,
  { before, payment, lead }: Locked,
): Promise<void> {
  if (before.payout_status !== "voided") {
    await setPayoutStatus(sql, context, { before, payment, lead, payout_status: "voided" });
    return;
  }
  await upsertCorrection(sql, context.organization.id, {
    ...{ commission_id: before.id, revenue_minor: null, commission_minor: null, referral_date: null },
    ...{
      reversed_minor: payment?.reversed_minor ?? 0n,
      amounts_at: null,
      voided: true,
      voided_at: new Date(),
    },
  });
}

/**
 * A payment's commission gets the present earnings of the payment, which may be nothing. Another commission
 * gets the amounts that it shows.
 */
async function restoreCommission(
  sql: Transaction,
  context: Context,
  { before, payment, lead }: Locked,
): Promise<void> {
  if (payment === null) {
    await setPayoutStatus(sql, context, { before, payment, lead, payout_status: "not_paid" });
    return;
  }
  await withdrawVoid(sql, context.organization.id, before.id);
  await reattributeCustomers(sql, context.organization, {
    customer_ids: [payment.customer_id],
    cause: actorText(context.actor),
  });
}
