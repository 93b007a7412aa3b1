import type { Commission, CreateCommission } from "@findersfee/contract/commissions/commissions";
import type { CampaignRow, CommissionRow, ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import type { Context } from "../context.ts";
import { DomainError, requireReferral, requireSubscription } from "../errors.ts";
import { findReplay, newAnswer } from "../idempotency.ts";
import { newId } from "../ids.ts";
import { amountsToMinor } from "../money.ts";
import { inTransaction } from "../transaction.ts";
import { serializeEvent, viewCommissionEvent, viewReferralEvent } from "../webhooks/events/data.ts";
import type { CommissionBatchWriter } from "./batch-writer.ts";
import { explainConflict } from "./conflicts.ts";
import { createForPayment } from "./create-for-payment.ts";
import { viewCommission } from "./view.ts";

export interface CreationContext extends Context {
  /** Of the pool: it writes the commissions of concurrent requests together. */
  commission_writer: CommissionBatchWriter;
}

/**
 * Creates a commission and records `commission.created`, and `referral.converted` if it is the referral's
 * first one.
 * Errors: `subscription_error`, `not_found` (referral), `commission_exists`, `invalid_request`.
 *
 * This is the busiest operation, so it runs two statements instead of a longer transaction: one reads and one
 * writes everything, each batched with concurrent creations. The write claims the Idempotency-Key; it looks
 * up a stored answer only if that fails. Four cases take a transaction: a payment that a processor reported,
 * which is also decided again; a person, since it checks the role; a campaign with reviews, which depend on
 * other commissions; and a recruit, since the recruiter also gets a commission.
 */
export async function createCommission(
  context: CreationContext,
  input: CreateCommission,
): Promise<Commission> {
  try {
    const created = await create(context, input);
    if (created !== null) return created;
  } catch (error) {
    const replay = await findReplay<Commission>(context);
    if (replay !== null) return replay;
    throw await explainConflict(context, error, input.processor_payment_id);
  }
  const replay = await findReplay<Commission>(context);
  if (replay === null) throw new DomainError("idempotency_conflict");
  return replay;
}

/** Null: the Idempotency-Key was already claimed, and nothing was changed. */
async function create(context: CreationContext, input: CreateCommission): Promise<Commission | null> {
  const { organization, idempotency, commission_writer: writer } = context;
  requireSubscription(organization);
  const referral = requireReferral(await writer.findReferral(organization.id, input.referral_id));
  const row = newCommission(input, { referral, currency: input.currency ?? organization.currency });
  const createAlone = () =>
    inTransaction(context, (sql) => createForPayment(sql, context, { row, referral }));
  const { campaign, recruited_by } = referral.affiliate;
  if (context.actor.kind === "user" || mayNeedReview(campaign) || recruited_by !== null)
    return await createAlone();
  const result = viewCommission(row, organization.currency);
  const {
    affiliate,
    payout: _payout,
    referral: _referral,
    payout_status: _status,
    review_state: _state,
    review: _review,
    ...values
  } = row;
  const converts = referral.converted_at === null;
  const outcome = await writer.insert(organization.id, {
    commission: {
      ...values,
      affiliate_id: affiliate.id,
      referral_id: referral.id,
      cause: actorText(context.actor),
    },
    created: serializeEvent("commission.created", viewCommissionEvent(row), row.created_at),
    converted: converts
      ? serializeEvent("referral.converted", viewReferralEvent(referral), row.created_at)
      : null,
    answer: idempotency === null ? null : newAnswer(context, idempotency, { result, now: row.created_at }),
  });
  if (outcome === "key_not_free") return null;
  if (outcome === "known_payment") return await createAlone();
  context.notifyWorkers(context.organization.id);
  return result;
}

/** Throws the `invalid_request` that `createCommission` would throw for this input, and creates nothing. */
export function checkCommissionCreation({ organization }: Context, input: CreateCommission): void {
  const { revenue_amount, commission_amount, currency = organization.currency } = input;
  amountsToMinor({ revenue_amount, commission_amount }, currency);
}

/** The row of a commission as a request describes it. Errors: `invalid_request`. */
export function newCommission(
  input: CreateCommission,
  { referral, currency }: { referral: ReferralWithAffiliateRow; currency: string },
): CommissionRow {
  const { revenue_amount, commission_amount } = input;
  const minor = amountsToMinor({ revenue_amount, commission_amount }, currency);
  const created_at = new Date();
  return {
    id: newId(created_at),
    revenue_minor: minor.revenue_amount,
    commission_minor: minor.commission_amount,
    currency,
    payout_status: "not_paid",
    referral_date: input.referral_date === undefined ? created_at : new Date(input.referral_date),
    processor_payment_id: input.processor_payment_id ?? null,
    lead: null,
    recruit_commission_id: null,
    // For a campaign with reviews, `createForPayment` decides.
    review_state: "none",
    review: null,
    created_at,
    affiliate: referral.affiliate,
    referral,
    payout: null,
  };
}

/** Whether new commissions of a campaign may wait for a review. */
function mayNeedReview({ review, review_above_minor }: CampaignRow): boolean {
  return review !== "none" || review_above_minor !== null;
}
