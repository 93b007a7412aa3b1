import type { Terms } from "./terms.ts";

/** A commission that the referral has earned before. */
export interface EarnedBefore {
  at: Date;
  /** Whether it counts at a moment: one that was taken back wholly by then does not. */
  countsAt: (moment: Date) => boolean;
}

/**
 * Whether a referral still earns at a moment. `months` counts from its first commission, end exclusive, also
 * when that one was taken back since; `payments` counts the commissions that are not voided by then.
 */
export function isWithinLimit(limit: Terms["limit"], before: readonly EarnedBefore[], moment: Date): boolean {
  if (limit === null) return true;
  if (limit.type === "payments")
    return before.filter(({ countsAt }) => countsAt(moment)).length < limit.amount;
  const first = before.reduce<Date | null>((min, { at }) => (min === null || at < min ? at : min), null);
  return first === null || moment < addMonths(first, limit.amount);
}

/** The same day and time so many months later, in UTC; the month's last day where it is shorter. */
export function addMonths(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const days = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), days));
  return later;
}
