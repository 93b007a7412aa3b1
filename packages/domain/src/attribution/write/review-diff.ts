import type { AttributedCommissionRow } from "@findersfee/database/attribution/customers";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import type { CommissionChange } from "@findersfee/database/commissions/changes";
import { findApproved, type ReviewReasons } from "@findersfee/database/commissions/reviews";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Reviewer } from "../../ledger/review.ts";
import type { PaymentSignal } from "../decide/signals.ts";
import { readExplanation } from "./explanation.ts";
import type { PendingWrites } from "./pending-writes.ts";

/** What a review depends on, apart from the affiliate. */
export interface Earning {
  /** What was earned, before refunds. */
  commission_minor: bigint;
  signals?: readonly PaymentSignal[] | undefined;
}

/** The review of a commission that another affiliate gets: as if it had earned it at once. Null: no other affiliate gets it. */
export function movedReview(
  { before, after }: CommissionChange,
  { reviewOf, earning, now }: { reviewOf: Reviewer; earning: Earning; now: Date },
): ReviewReasons | null {
  if (before.affiliate_id === after.affiliate_id) return null;
  const { commission_minor, signals } = earning;
  const review = reviewOf({ ...after, commission_minor, created_at: now }, signals);
  return {
    commission_id: after.id,
    replaced: null,
    reasons: review?.reasons ?? [],
    since: now,
    approves_at: review?.approves_at ?? null,
  };
}

/** The commissions that are written at once. */
export type CommissionWrites = Pick<PendingWrites, "changed_commissions" | "new_commissions" | "reviews">;

/**
 * The affiliates who get an approved commission, which has passed, while others of theirs would wait as their first. The caller has
 * locked the changed commissions. `findOthers` returns the leads' commissions that move with them, and is called only if one would wait.
 */
export async function findPassing(
  sql: Connection,
  organizationId: string,
  writes: readonly CommissionWrites[],
  findOthers: () => Promise<CommissionWrites | null> = async () => null,
): Promise<string[]> {
  const isFirst = ({ reasons }: { reasons: readonly string[] }) => reasons.includes("first_of_affiliate");
  const is_waiting = writes.some(
    ({ reviews, new_commissions }) =>
      reviews.some(isFirst) || new_commissions.some(({ review }) => review !== null && isFirst(review)),
  );
  if (!is_waiting) return [];
  const moved = [...writes, (await findOthers()) ?? []]
    .flat()
    .flatMap(({ changed_commissions }) => changed_commissions)
    .filter(
      ({ before, after }) => before.affiliate_id !== after.affiliate_id && after.payout_status !== "voided",
    );
  if (moved.length === 0) return [];
  const ids = moved.map(({ after }) => after.id);
  const approved = new Set(await findApproved(sql, organizationId, ids));
  return moved.flatMap(({ after }) => (approved.has(after.id) ? after.affiliate_id : []));
}

/** The kinds of reasons that reports can change while the affiliate stays, in groups. */
const REPORTED = [["signal"], ["above_amount", "other_currency"]];

/** The review of a commission whose payment has another amount or other signals of fraud. Null: nothing changes. */
export function reportedReview(
  { before, after }: { before: StoredDecision; after: StoredDecision },
  {
    commission,
    reviewOf,
    signals,
    now,
  }: {
    commission: AttributedCommissionRow;
    reviewOf: Reviewer;
    /** Those of the decision now. */
    signals: readonly PaymentSignal[];
    now: Date;
  },
): ReviewReasons | null {
  const reviewed = (decision: StoredDecision, found: readonly PaymentSignal[]) => {
    const affiliate_id = decision.affiliate_id ?? commission.affiliate_id;
    // While its payment earns nothing, the commission keeps what it was.
    const { commission_minor, currency } = decision.outcome === "commission" ? decision : commission;
    return reviewOf({ ...commission, affiliate_id, commission_minor, currency, created_at: now }, found);
  };
  const review = reviewed(after, signals);
  const former = reviewed(before, signalsOf(before));
  const groups = REPORTED.filter((kinds) => {
    if (kinds[0] !== "signal" && after.outcome !== "commission") return false;
    return String(ofKinds(review?.reasons, kinds)) !== String(ofKinds(former?.reasons, kinds));
  });
  if (groups.length === 0) return null;
  const replaced = groups.flat();
  const reasons = ofKinds(review?.reasons, replaced);
  return {
    commission_id: commission.id,
    replaced,
    reasons,
    since: now,
    approves_at: review?.approves_at ?? null,
  };
}

function ofKinds(reasons: readonly string[] = [], kinds: readonly string[]): string[] {
  return reasons.filter((reason) => kinds.includes(reason.split(":")[0] ?? ""));
}

function signalsOf({ explanation }: StoredDecision): readonly PaymentSignal[] {
  return explanation.includes('"signals":') ? (readExplanation(JSON.parse(explanation)).signals ?? []) : [];
}
