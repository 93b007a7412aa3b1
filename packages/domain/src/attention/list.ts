import { type Attention, MAX_ATTENTION } from "@findersfee/contract/attention";
import { type AttentionRow, readAttention } from "@findersfee/database/attention";
import type { Context } from "../context.ts";
import { periodOf } from "../payout-runs/period.ts";

/** What waits for a person: applications, failures that nobody else mends, and the next payout run. */
export async function listAttention(
  { database, organization }: Context,
  now: Date = new Date(),
): Promise<Attention> {
  const row = await readAttention(database, organization.id, MAX_ATTENTION);
  return {
    applications: {
      count: row.applications,
      oldest_at: row.oldest_application_at?.toISOString() ?? null,
    },
    failing_endpoints: row.failing_endpoints.map(({ failing_since, ...endpoint }) => ({
      ...endpoint,
      failing_since: new Date(failing_since).toISOString(),
    })),
    dead_lettered_messages: row.dead_lettered_messages,
    failed_promo_codes: row.failed_promo_codes,
    next_run_on: nextRunOn(row, now),
  };
}

/** The date of the first payout day that has no run yet: today, if a worker is about to start it. */
function nextRunOn(
  { payout_day, last_period }: Pick<AttentionRow, "payout_day" | "last_period">,
  now: Date,
): string | null {
  if (payout_day === null) return null;
  const is_over = last_period !== null && last_period >= periodOf(now);
  const month = now.getUTCMonth() + (is_over ? 1 : 0);
  const planned = new Date(Date.UTC(now.getUTCFullYear(), month, payout_day));
  return new Date(Math.max(planned.getTime(), now.getTime())).toISOString().slice(0, 10);
}
