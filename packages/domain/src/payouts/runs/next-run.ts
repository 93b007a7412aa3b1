import { periodOf } from "./period.ts";

/** The date of the first payout day that has no run yet: today, if a worker is about to start it. Null: no payout day. */
export function nextRunOn(
  { payout_day, last_period }: { payout_day: number | null; last_period: string | null },
  now: Date,
): string | null {
  if (payout_day === null) return null;
  const is_over = last_period !== null && last_period >= periodOf(now);
  const month = now.getUTCMonth() + (is_over ? 1 : 0);
  const planned = new Date(Date.UTC(now.getUTCFullYear(), month, payout_day));
  return new Date(Math.max(planned.getTime(), now.getTime())).toISOString().slice(0, 10);
}
