import type { CommissionChange, WrittenCommission } from "@findersfee/database/commissions/changes";
import type { CommissionPosting } from "@findersfee/database/ledger/postings";

/*
 * The postings of a change of commissions. Those of payouts follow from their states: a new payout allocates its
 * commissions, a paid one pays them, and a failed or canceled one releases them.
 */

type Amount = Pick<WrittenCommission, "id" | "affiliate_id" | "currency" | "commission_minor" | "cause">;

/** The postings of a new commission. One that is void from the start is earned and voided at once. */
export function postingsOfNew(commission: WrittenCommission): CommissionPosting[] {
  const earned = entry(commission, kindOfNew(commission), commission.commission_minor);
  return commission.payout_status === "voided" ? [earned, voided(commission)] : [earned];
}

function kindOfNew({ reversal_of, commission_minor }: WrittenCommission): CommissionPosting["kind"] {
  if (reversal_of === null) return "earned";
  return commission_minor < 0n ? "reversed" : "restored";
}

/**
 * The postings of a changed commission:
 *
 * - Another affiliate or currency: `voided` for the former one, and the postings of a new commission for the other.
 * - Voided: `voided`. Restored: `restored`, or `reversed` if it is negative.
 * - Another amount: `reduced` or `restored`, by the difference.
 */
export function postingsOfChange({ before, after }: CommissionChange): CommissionPosting[] {
  const was_live = before.payout_status !== "voided";
  const is_live = after.payout_status !== "voided";
  const moved = before.affiliate_id !== after.affiliate_id || before.currency !== after.currency;
  if (was_live && is_live && !moved) return postingsOfDifference(before, after);
  const postings: CommissionPosting[] = [];
  if (was_live) postings.push(voided({ ...after, ...before }));
  if (is_live) {
    const kind = moved ? kindOfNew(after) : after.commission_minor < 0n ? "reversed" : "restored";
    postings.push(entry(after, kind, after.commission_minor));
  }
  return postings;
}

function postingsOfDifference(before: CommissionChange["before"], after: Amount): CommissionPosting[] {
  const difference = after.commission_minor - before.commission_minor;
  if (difference === 0n) return [];
  return [entry(after, difference < 0n ? "reduced" : "restored", difference)];
}

function voided(commission: Amount): CommissionPosting {
  return entry(commission, "voided", -commission.commission_minor);
}

function entry(
  { id, affiliate_id, currency, cause }: Amount,
  kind: CommissionPosting["kind"],
  unpaid_minor: bigint,
): CommissionPosting {
  return { commission_id: id, affiliate_id, currency, kind, unpaid_minor, cause };
}
