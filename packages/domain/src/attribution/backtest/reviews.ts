import { listFirstCommissions } from "@findersfee/database/attribution/backtest-tiers";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { OrganizationContext } from "../../context.ts";
import { type ReviewSettings, reviewOf } from "../../ledger/review.ts";
import type { PaymentOutcome } from "../decide/outcome.ts";
import type { TriedPayment, WaitsForReview } from "./decide.ts";
import type { Draft } from "./draft.ts";

const WAITS_FOR_NOTHING: WaitsForReview = { before: false, after: false };

type TriedReview = Pick<TriedPayment, "before" | "after"> & { commission_id: string | null };

/**
 * Returns which payments of the drafted campaign wait for a review, before and after. With `first`, these are
 * the payments with an affiliate's first commission: the backtest assumes that it passed before the next one.
 */
export async function loadReviews(
  sql: Connection,
  { id, currency }: OrganizationContext,
  { draft: { campaign }, affiliate_ids }: { draft: Draft; affiliate_ids: string[] },
): Promise<(payment: TriedReview) => WaitsForReview> {
  if (campaign === null) return () => WAITS_FOR_NOTHING;
  const { before, after } = campaign.reviews;
  const asks_first = before.review === "first" || after.review === "first";
  const first = new Set(asks_first ? await listFirstCommissions(sql, id, affiliate_ids) : []);
  const waits = (outcome: PaymentOutcome, settings: ReviewSettings, is_first: boolean): boolean => {
    const { commission_minor, payment, explanation, affiliate } = outcome;
    if (outcome.outcome !== "commission" || affiliate?.terms.campaign_id !== campaign.id) return false;
    const { currency: paid_in, paid_at: created_at } = payment;
    const commission = { commission_minor, currency: paid_in, created_at, reversal_of: null };
    const { signals } = explanation;
    return reviewOf(commission, { campaign: settings, currency, is_cleared: !is_first, signals }) !== null;
  };
  return ({ commission_id, ...tried }) => {
    const is_first = commission_id !== null && first.has(commission_id);
    return { before: waits(tried.before, before, is_first), after: waits(tried.after, after, is_first) };
  };
}
