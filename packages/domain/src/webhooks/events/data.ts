import type { Commission } from "@findersfee/contract/commissions/commissions";
import type { CommissionReview } from "@findersfee/contract/commissions/reviews";
import type { ReferralWithoutAffiliate } from "@findersfee/contract/customers/referrals";
import type { ReducedPayout } from "@findersfee/contract/payouts/payouts";
import { toTimestamp } from "@findersfee/contract/timestamps";
import type { EventData, EventType, ReducedAffiliate } from "@findersfee/contract/webhooks/events";
import { currentTraceparent } from "@findersfee/database/postgres/tracer";
import type {
  AffiliateRow,
  CommissionReviewRow,
  CommissionRow,
  ReducedPayoutRow,
  ReferralRow,
} from "@findersfee/database/rows";
import type { NewEvent } from "@findersfee/database/webhooks/events";
import { newId } from "../../ids.ts";
import { toMajor } from "../../money.ts";

/*
 * The fields of referrals, commissions and payouts as events carry them in `data`, and as the API shows them. They
 * stand here and not in the areas of these resources, because those areas record events: areas may not import in
 * circles.
 */

/** Serializes an event. Every endpoint and every attempt gets these bytes as the body. */
export function serializeEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  at: Date,
): NewEvent {
  const body = JSON.stringify({ type, data });
  return { id: newId(at), type, body, created_at: at, traceparent: currentTraceparent() };
}

type WithAffiliate = ReferralRow & { affiliate: AffiliateRow };

/** A referral with its reduced affiliate, as `referral.*` events carry it. */
export function viewReferralEvent(row: WithAffiliate): EventData<"referral.created"> {
  return { ...viewReferralWithoutAffiliate(row), affiliate: viewReducedAffiliate(row.affiliate) };
}

/** A commission with its reduced affiliate, as `commission.created` carries it. */
export function viewCommissionEvent(row: CommissionRow): EventData<"commission.created"> {
  return { ...viewCommissionFields(row), affiliate: viewReducedAffiliate(row.affiliate) };
}

/** The fields of a commission that the API and the event share. */
export function viewCommissionFields(row: CommissionRow): Omit<Commission, "affiliate"> {
  return {
    id: row.id,
    revenue_amount: toMajor(row.revenue_minor, row.currency),
    currency: row.currency,
    commission_amount: toMajor(row.commission_minor, row.currency),
    payout_status: row.payout_status,
    referral_date: toTimestamp(row.referral_date),
    created_at: toTimestamp(row.created_at),
    processor_payment_id: row.processor_payment_id,
    lead: row.lead,
    recruit_commission_id: row.recruit_commission_id,
    review_state: row.review_state,
    review: row.review === null ? null : viewReview(row.review),
    referral: viewReferralWithoutAffiliate(row.referral),
    payout: row.payout === null ? null : viewReducedPayout(row.payout),
  };
}

/** The review of a commission that needed one. */
export function viewReview(row: CommissionReviewRow): CommissionReview {
  return {
    reasons: row.reasons,
    since: toTimestamp(row.created_at),
    approves_at: row.due_at && toTimestamp(row.due_at),
    decided_by: row.decided_by,
    decided_at: row.decided_at && toTimestamp(row.decided_at),
    reason: row.decision_reason,
  };
}

/** The referral inside a commission. */
export function viewReferralWithoutAffiliate(row: ReferralRow): ReferralWithoutAffiliate {
  return {
    id: row.id,
    email: row.email,
    subscription_status: row.subscription_status,
    signup_date: toTimestamp(row.signup_date),
    processor_customer_id: row.processor_customer_id,
    created_at: toTimestamp(row.created_at),
  };
}

/** The affiliate inside referral and commission events. */
export function viewReducedAffiliate(
  row: Pick<AffiliateRow, "id" | "email" | "first_name" | "last_name">,
): ReducedAffiliate {
  return { id: row.id, email: row.email, first_name: row.first_name, last_name: row.last_name };
}

/** The payout inside a commission. */
export function viewReducedPayout(row: ReducedPayoutRow): ReducedPayout {
  return {
    id: row.id,
    affiliate_name: row.affiliate_name,
    payout_email: row.payout_email,
    amount: toMajor(row.amount_minor, row.currency),
    currency: row.currency,
    period: row.period,
    payment_count: row.payment_count,
    created_at: toTimestamp(row.created_at),
  };
}
