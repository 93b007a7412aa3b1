import { hash } from "node:crypto";
import { paymentOutcomes } from "@findersfee/contract/attribution/payment-decisions";
import type { AcceptClaim, ClaimPreview, PreviewClaim } from "@findersfee/contract/customers/claims";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listCustomersDecisions, type StoredDecision } from "@findersfee/database/attribution/decisions";
import { clearSnapshots } from "@findersfee/database/attribution/facts";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { type ClaimRow, decideClaim, lockClaim } from "@findersfee/database/customers/claims";
import { backdateReferral, insertReferral } from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../../actor.ts";
import { changedPayments } from "../../attribution/changed-payments.ts";
import { NO_CLICK } from "../../attribution/facts/clicks.ts";
import { reattributeCustomers } from "../../attribution/reattribute-customers.ts";
import { outcomeName, paymentDecisionFields } from "../../attribution/view.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { toMajor } from "../../money.ts";
import { previewChange } from "../../preview-change.ts";
import { inTransaction } from "../../transaction.ts";
import { serializeEvent, viewReferralEvent } from "../../webhooks/events/data.ts";
import { recordEvent } from "../../webhooks/events/record.ts";
import { type ClaimedCustomer, findClaimedCustomer, obstacleOf } from "./customer.ts";

/**
 * The changes that accepting a claim for a payment would make, by making them in a transaction that is rolled back.
 *
 * Errors: `not_found`, `claim_decided`, `claim_not_payable` with the reason as its message.
 */
export async function previewClaim(context: Context, input: PreviewClaim): Promise<ClaimPreview> {
  return await previewChange(context.database, async (sql) => (await payClaim(sql, context, input)).preview);
}

/**
 * Accepts a claim for a payment: the customer becomes the affiliate's referral from that payment on, and attribution decides
 * the customer's payments again. Records `referral.created` for a new referral, and the events of its commissions.
 *
 * Errors: those of `previewClaim`, and `claim_changed` if the changes are others than those of the preview.
 */
export async function acceptClaim(context: Context, input: AcceptClaim): Promise<{ commission_id: string }> {
  const { organization, actor } = context;
  return await inTransaction(context, async (sql) => {
    const { claim, decision, commission_id, preview } = await payClaim(sql, context, input);
    if (preview.version !== input.version) throw new DomainError("claim_changed");
    await decideClaim(sql, organization.id, {
      id: claim.id,
      state: "accepted",
      answer: input.answer?.trim() ? input.answer.trim() : null,
      decided_by: actorText(actor),
      decided_at: new Date(),
      payment_decision_id: decision.after.id,
      commission_id,
    });
    await writeAuditEntry(sql, context, {
      resource: "claim",
      id: claim.id,
      action: "updated",
      before: { state: "open", payment_decision_id: null, commission_id: null },
      after: { state: "accepted", payment_decision_id: decision.after.id, commission_id },
    });
    await writeAuditEntry(sql, context, {
      resource: "payment_decision",
      id: decision.after.id,
      action: "rerun",
      before: paymentDecisionFields(decision.before),
      after: paymentDecisionFields(decision.after),
      currency: decision.after.currency,
    });
    return { commission_id };
  });
}

interface PaidClaim {
  claim: ClaimRow;
  decision: { before: StoredDecision; after: StoredDecision };
  commission_id: string;
  preview: ClaimPreview;
}

/** Makes the changes to referral, decisions and commissions, under the lock of the organization's payments. */
async function payClaim(sql: Transaction, context: Context, input: PreviewClaim): Promise<PaidClaim> {
  const { organization, actor } = context;
  await lockPayments(sql, organization.id);
  const claim = await lockOpenClaim(sql, organization.id, input.id);
  const customer = await findClaimedCustomer(sql, organization.id, { ...claim, lock: true });
  if (customer.customer_id === null) throw notFound("payment decision");
  const decisions = () => listCustomersDecisions(sql, organization.id, [customer.customer_id ?? ""]);
  const before = await decisions();
  const chosen = before.find(
    ({ id, replaced_at }) => id === input.payment_decision_id.toLowerCase() && replaced_at === null,
  );
  if (chosen === undefined) throw notFound("payment decision");
  const obstacle = obstacleOf(chosen, { ...claim, referrals: customer.referrals });
  if (obstacle !== null) throw notPayable(OBSTACLES[obstacle]);
  await bindCustomer(sql, context, { claim, customer, paid_at: chosen.paid_at });
  await clearSnapshots(sql, organization.id, chosen);
  const { lookups } = await reattributeCustomers(sql, organization, {
    customer_ids: [customer.customer_id],
    cause: actorText(actor),
  });
  if (lookups > 0) await notifyWorkers(sql, "lookups", [organization.id]);
  const after = await decisions();
  const decision = { before: chosen, after: after.find(({ id }) => id === chosen.id) ?? chosen };
  const earned = await requireEarned(sql, organization.id, { claim, decision: decision.after });
  return { claim, decision, commission_id: earned.commission_id, preview: previewOf(before, after, earned) };
}

/** The claim, locked. Errors: `not_found`, `claim_decided`. */
export async function lockOpenClaim(
  sql: Transaction,
  organization_id: string,
  id: string,
): Promise<ClaimRow> {
  const claim = await lockClaim(sql, organization_id, id);
  if (claim === null) throw notFound("claim");
  if (claim.state !== "open") throw new DomainError("claim_decided");
  return claim;
}

/** Makes the customer the affiliate's referral from the time of the payment on. */
async function bindCustomer(
  sql: Transaction,
  { organization }: Context,
  { claim, customer, paid_at }: { claim: ClaimRow; customer: ClaimedCustomer; paid_at: Date },
): Promise<void> {
  const own = customer.referrals;
  if (own.length > 0) {
    for (const { id } of own) await backdateReferral(sql, organization.id, { id, signup_date: paid_at });
    return;
  }
  const affiliate = await findAffiliate(sql, organization.id, claim.affiliate_id);
  if (affiliate === null) throw notFound("affiliate");
  const created_at = new Date();
  const [processor_customer_id = null] = customer.processor_ids.length === 1 ? customer.processor_ids : [];
  const referral = {
    id: newId(created_at),
    email: claim.email,
    subscription_status: "signed_up" as const,
    signup_date: paid_at,
    processor_customer_id,
    converted_at: null,
    created_at,
  };
  await insertReferral(sql, organization.id, { ...referral, affiliate_id: affiliate.id, ...NO_CLICK });
  const event = serializeEvent("referral.created", viewReferralEvent({ ...referral, affiliate }), created_at);
  await recordEvent(sql, organization.id, event);
}

interface EarnedCommission {
  commission_id: string;
  commission_minor: bigint;
  currency: string;
}

async function requireEarned(
  sql: Transaction,
  organization_id: string,
  { claim, decision }: { claim: ClaimRow; decision: StoredDecision },
): Promise<EarnedCommission> {
  const { outcome, affiliate_id, commission_id } = decision;
  if (outcome !== "commission" || affiliate_id !== claim.affiliate_id || commission_id === null) {
    throw notPayable(paymentOutcomes[outcomeName.parse(outcome)]);
  }
  const commission = await findCommission(sql, organization_id, commission_id);
  if (commission === null || commission.payout_status === "voided") {
    throw notPayable("The payment was refunded, or its commission was voided.");
  }
  return { commission_id, commission_minor: commission.commission_minor, currency: commission.currency };
}

const OBSTACLES = {
  earned_by_affiliate: "The payment has already earned this affiliate a commission.",
  earned_by_other: "The payment has already earned another affiliate a commission.",
  customer_of_other: "The customer is another affiliate's referral, which is permanent.",
  manual_commission: "A commission for this payment was created manually.",
} as const;

function notPayable(reason: string): DomainError {
  return new DomainError("claim_not_payable", { message: reason });
}

function previewOf(
  before: readonly StoredDecision[],
  after: readonly StoredDecision[],
  { commission_minor, currency }: EarnedCommission,
): ClaimPreview {
  const changes = {
    commission_amount: toMajor(commission_minor, currency),
    currency,
    payments: changedPayments(before, after),
  };
  return { version: hash("sha256", JSON.stringify(changes), "base64url"), ...changes };
}
