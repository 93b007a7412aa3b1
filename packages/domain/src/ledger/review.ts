import { type FoundSignal, signalReason } from "@findersfee/contract/attribution/signals";
import type { ReviewReason } from "@findersfee/contract/commissions/reviews";
import type { NewReview, WrittenCommission } from "@findersfee/database/commissions/changes";
import { findClearedAffiliates } from "@findersfee/database/commissions/reviews";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { CampaignRow, CommissionRow } from "@findersfee/database/rows";
import type { OrganizationContext } from "../context.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export type ReviewSettings = Pick<CampaignRow, "review" | "review_above_minor" | "review_approve_after_days">;
type ReviewedSignal = Pick<FoundSignal, "signal" | "action">;
/** `commission_minor` is what it earned, before refunds: these may be reported before or after it is created. */
type Reviewed = Pick<WrittenCommission, "commission_minor" | "currency" | "reversal_of" | "created_at">;

/**
 * The review that a commission needs when an affiliate gets it, by the campaign's settings then; null: none. What is corrected later
 * (`reversal_of`) was reviewed with the original.
 *
 * With `first`, the commissions of an affiliate wait until one of them has passed: `is_cleared`. An amount in
 * another currency than the organization's cannot be compared, so it waits, too.
 */
export function reviewOf(
  commission: Reviewed,
  {
    campaign,
    currency,
    is_cleared,
    signals = [],
  }: {
    campaign: ReviewSettings;
    currency: string;
    is_cleared: boolean;
    /** Of its payment. */
    signals?: readonly ReviewedSignal[] | undefined;
  },
): NewReview | null {
  if (commission.reversal_of !== null) return null;
  const { review, review_above_minor: above_minor } = campaign;
  const reasons: ReviewReason[] = [];
  if (review === "all") reasons.push("campaign_reviews_all");
  if (review === "first" && !is_cleared) reasons.push("first_of_affiliate");
  if (above_minor !== null && commission.currency !== currency) reasons.push("other_currency");
  else if (above_minor !== null && commission.commission_minor > above_minor) reasons.push("above_amount");
  reasons.push(...signalReasons(signals, campaign));
  if (reasons.length === 0) return null;
  return { reasons, approves_at: approvalAfter(commission.created_at, campaign) };
}

/** Why a commission waits because of its payment's signals of fraud. */
function signalReasons(
  signals: readonly ReviewedSignal[],
  { review }: Pick<ReviewSettings, "review">,
): ReviewReason[] {
  return signals.flatMap(({ signal, action }) =>
    action === "hold" || (action === "flag" && review === "flagged") ? signalReason(signal) : [],
  );
}

/** When a commission that waits since a time is approved by itself; null: never. */
function approvalAfter(
  since: Date,
  { review_approve_after_days: days }: Pick<ReviewSettings, "review_approve_after_days">,
): Date | null {
  return days === null ? null : new Date(since.getTime() + days * DAY_MILLISECONDS);
}

interface CampaignOfAffiliate {
  id: string;
  campaign: ReviewSettings;
}

/** Tells which review a commission needs that an affiliate gets now. */
export type Reviewer = (
  commission: Reviewed & Pick<WrittenCommission, "affiliate_id">,
  signals?: readonly ReviewedSignal[],
) => NewReview | null;

/**
 * The reviewer of commissions of these affiliates. It reads what they have earned only where that matters. `also_cleared`
 * get a commission that has passed.
 */
export async function findReviewer(
  sql: Connection,
  { id, currency }: Pick<OrganizationContext, "id" | "currency">,
  affiliates: Iterable<CampaignOfAffiliate>,
  also_cleared: readonly string[] = [],
): Promise<Reviewer> {
  const campaigns = new Map([...affiliates].map((affiliate) => [affiliate.id, affiliate.campaign]));
  const asked = [...campaigns].flatMap(([affiliate_id, { review }]) =>
    review === "first" ? [affiliate_id] : [],
  );
  const found = asked.length === 0 ? [] : await findClearedAffiliates(sql, id, asked);
  const cleared = new Set([...found, ...also_cleared]);
  return ({ affiliate_id, ...commission }, signals) => {
    const campaign = campaigns.get(affiliate_id);
    if (campaign === undefined) throw new Error(`affiliate ${affiliate_id} was not loaded`);
    return reviewOf(commission, { campaign, currency, is_cleared: cleared.has(affiliate_id), signals });
  };
}

/** The review of a new commission as it is written. */
export function reviewRow(
  review: NewReview | null,
  { id, created_at }: Pick<WrittenCommission, "id" | "created_at">,
): Pick<CommissionRow, "review_state" | "review"> {
  if (review === null) return { review_state: "none", review: null };
  const undecided = { decided_by: null, decided_at: null, decision_reason: null };
  const { reasons, approves_at } = review;
  return { review_state: "pending", review: { id, ...undecided, reasons, created_at, due_at: approves_at } };
}
