import { type Attention, MAX_ATTENTION } from "@findersfee/contract/reports/attention";
import { type AttentionRow, readAttention } from "@findersfee/database/reports/attention";
import type { Context } from "../context.ts";
import { nextRunOn } from "../payouts/runs/calendar.ts";
import { servedUntil } from "../portal/host-owner.ts";

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
    claims: { count: row.claims, oldest_at: row.oldest_claim_at?.toISOString() ?? null },
    failing_endpoints: row.failing_endpoints.map(({ failing_since, ...endpoint }) => ({
      ...endpoint,
      failing_since: new Date(failing_since).toISOString(),
    })),
    portal_host: failingHost(row),
    mails_awaiting_quota: {
      count: row.mails_awaiting_quota,
      until: row.mails_wait_until?.toISOString() ?? null,
    },
    dead_lettered_messages: row.dead_lettered_messages,
    failed_promo_codes: row.failed_promo_codes,
    due_affiliates: row.due_affiliates,
    stale_holds: row.stale_holds,
    owed_to_erased: row.owed_to_erased,
    waiting_runs: row.waiting_runs,
    next_run_on: nextRunOn(row, now),
  };
}

/** The portal's host name, if its record is gone. */
function failingHost(row: AttentionRow): Attention["portal_host"] {
  const { portal_host_wanted: host, portal_host_failing_since: since } = row;
  if (host === null || since === null) return null;
  const served_until = servedUntil(row)?.toISOString() ?? null;
  return { host, failing_since: since.toISOString(), served_until };
}
