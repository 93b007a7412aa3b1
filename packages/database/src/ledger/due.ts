/**
 * The moment from which a payout run takes a commission, as SQL over a row with the columns of `commissions`: the only
 * statement of this rule. `unpaid_commissions.due_at` stores it, and everything else compares that with a moment.
 *
 * - A commission becomes due at the end of its holding period (`payable_at`).
 * - A reversal has no holding period: the next run deducts it.
 * - A commission that waits for a review is never due: it becomes so when it is approved.
 * - Neither is due before it was created, so that a run never pays commissions that were created after its cutoff.
 */
export function dueAt(commission: string): string {
  return `case when ${commission}.review_state = 'pending' then 'infinity'::timestamptz
    when ${commission}.commission_minor < 0 then ${commission}.created_at
    else greatest(${commission}.created_at, ${commission}.payable_at) end`;
}
