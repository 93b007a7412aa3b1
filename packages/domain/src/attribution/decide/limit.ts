import type { Terms } from "../facts/stored-fact.ts";

/** The commissions that a referral earned before a payment. */
export interface EarnedBefore {
  /** When the first one was earned; null: there is none. */
  readonly first_at: Date | null;
  /** All of them, including those that are void now. */
  readonly number: number;
  /** Those that are not void at the given time. */
  countAt(moment: Date): number;
}

/**
 * Counts the commissions that a referral earned so far. Most always count and are not checked one by one, because a
 * customer may have thousands.
 */
export class Earned implements EarnedBefore {
  #lasting = 0;
  readonly #passing: ((moment: Date) => boolean)[] = [];
  first_at: Date | null = null;

  get number(): number {
    return this.#lasting + this.#passing.length;
  }

  /** `countsAt` returns whether the commission counts at a time; null: it always counts. */
  add(at: Date, countsAt: ((moment: Date) => boolean) | null): void {
    if (this.first_at === null || at < this.first_at) this.first_at = at;
    if (countsAt === null) this.#lasting += 1;
    else this.#passing.push(countsAt);
  }

  countAt(moment: Date): number {
    return this.#lasting + this.#passing.filter((countsAt) => countsAt(moment)).length;
  }
}

/** Combines both. */
export function combineEarnings(item: EarnedBefore, other: EarnedBefore): EarnedBefore {
  const firsts = [item.first_at, other.first_at].filter((first) => first !== null);
  return {
    first_at: firsts.length === 0 ? null : new Date(Math.min(...firsts.map((first) => first.getTime()))),
    number: item.number + other.number,
    countAt: (moment) => item.countAt(moment) + other.countAt(moment),
  };
}

/**
 * Whether a referral still earns at the given time. `months` counts from its first commission, end exclusive, even if
 * that one was reversed later. `payments` counts the commissions that are not void by then.
 */
export function isWithinLimit(limit: Terms["limit"], before: EarnedBefore, moment: Date): boolean {
  if (limit === null) return true;
  if (limit.type === "payments") return before.countAt(moment) < limit.amount;
  const end = endOfLimit(limit, before.first_at);
  return end === null || moment < end;
}

/** The time from which a referral earns nothing more; null: no such time is known. */
export function endOfLimit(limit: Terms["limit"], first_at: Date | null): Date | null {
  return limit?.type !== "months" || first_at === null ? null : addMonths(first_at, limit.amount);
}

/** The same day and time some months later, in UTC; the last day of a shorter month. */
export function addMonths(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const days = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), days));
  return later;
}
