import type { WrittenCommission } from "@findersfee/database/commissions/changes";

/** Whether a commission is in a payout, so that it stays as it is. */
export function isInPayout({ payout_status }: Pick<WrittenCommission, "payout_status">): boolean {
  return payout_status === "pending" || payout_status === "paid";
}

/** Whether a change of a commission changes nothing. */
export function isSameCommission(
  before: Omit<WrittenCommission, "cause">,
  after: Omit<WrittenCommission, "cause">,
): boolean {
  return (
    before.affiliate_id === after.affiliate_id &&
    before.referral_id === after.referral_id &&
    before.revenue_minor === after.revenue_minor &&
    before.commission_minor === after.commission_minor &&
    before.currency === after.currency &&
    before.processor_payment_id === after.processor_payment_id &&
    before.payout_status === after.payout_status &&
    before.referral_date.getTime() === after.referral_date.getTime()
  );
}
