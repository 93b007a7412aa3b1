import { type Attention, MAX_ATTENTION } from "@findersfee/contract/reports/attention";
import { findLedgerVerification } from "@findersfee/database/ledger/verifications";
import { countUnsentMails, type UnsentMailsRow } from "@findersfee/database/mails/unsent";
import type { Database } from "@findersfee/database/postgres/connect";
import { type AttentionRow, readAttention } from "@findersfee/database/reports/attention";
import { findOldestDueWork } from "@findersfee/database/work/due-work";
import { findLastJob } from "@findersfee/database/work/jobs";
import { readWorkers } from "@findersfee/database/work/workers";
import type { Context } from "../context.ts";
import { getConversionState } from "../exchange-rates/list.ts";
import { nextRunOn } from "../payouts/runs/calendar.ts";
import { servedUntil, unreachableSince, type WantedHost } from "../portal/host-owner.ts";
import { countsSchema } from "../work/jobs/view.ts";

/** The open tasks for a person: applications, failures that need a person, and the next payout run. */
export async function listAttention(
  { database, organization }: Context,
  now: Date = new Date(),
): Promise<Attention> {
  const [row, unsent, workers, due, conversion, ledger_damage] = await Promise.all([
    readAttention(database, organization.id, MAX_ATTENTION),
    countUnsentMails(database, organization.id, MAX_ATTENTION),
    readWorkers(database),
    findOldestDueWork(database, organization.id),
    getConversionState({ database, organization }, now),
    findLedgerDamage(database, organization.id),
  ]);
  return {
    mail_delivery: workers.mail_delivery,
    unsent_mails: viewUnsentMails(unsent),
    stalled_work: stalledWork(due, { workers: workers.count, now }),
    ledger_damage,
    stripe_events: stripeEvents(row),
    codes_without_key: row.codes_without_key,
    silent_campaigns: row.silent_campaigns,
    applications: {
      count: row.applications,
      oldest_at: row.oldest_application_at?.toISOString() ?? null,
    },
    claims: { count: row.claims, oldest_at: row.oldest_claim_at?.toISOString() ?? null },
    reviews: { count: row.reviews, oldest_at: row.oldest_review_at?.toISOString() ?? null },
    failing_endpoints: row.failing_endpoints.map(({ failing_since, ...endpoint }) => ({
      ...endpoint,
      failing_since: new Date(failing_since).toISOString(),
    })),
    portal_host: failingHost({
      host: row.portal_host_wanted,
      proven_at: row.portal_host_proven_at,
      failing_since: row.portal_host_failing_since,
    }),
    link_host: failingHost({
      host: row.link_host_wanted,
      proven_at: row.link_host_proven_at,
      failing_since: row.link_host_failing_since,
    }),
    unreachable_hosts: unreachableHosts(row),
    mails_awaiting_quota: {
      count: row.mails_awaiting_quota,
      until: row.mails_wait_until?.toISOString() ?? null,
    },
    dead_lettered_messages: row.dead_lettered_messages,
    failed_promo_codes: row.failed_promo_codes,
    due_affiliates: row.due_affiliates,
    stale_holds: row.stale_holds,
    owed_to_erased: row.owed_to_erased,
    conversion,
    waiting_runs: row.waiting_runs,
    next_run_on: nextRunOn(row, now),
  };
}

/** A person who has repaired something checks the ledger again, and need not wait for the night. */
async function findLedgerDamage(sql: Database, organization_id: string): Promise<Attention["ledger_damage"]> {
  const nightly = await findLedgerVerification(sql, organization_id);
  if (nightly === null || nightly.checked_at === null || nightly.damaged === 0) return null;
  const last = await findLastJob(sql, organization_id, "ledger_check");
  const is_mended =
    last?.state === "finished" &&
    last.created_at > nightly.checked_at &&
    countsSchema.parse(last.result ?? {}).damaged === 0;
  return is_mended ? null : { rows: nightly.damaged, checked_at: nightly.checked_at.toISOString() };
}

export function viewUnsentMails({ count, since }: UnsentMailsRow): Attention["unsent_mails"] {
  return { count, since: since?.toISOString() ?? null };
}

/** Work waits for seconds while workers run, and for minutes behind a large backlog. */
const STALLED_MILLISECONDS = 5 * 60_000;

function stalledWork(
  due: readonly { due_at: Date }[],
  { workers, now }: { workers: number; now: Date },
): Attention["stalled_work"] {
  const oldest = Math.min(...due.map(({ due_at }) => due_at.getTime()));
  if (now.getTime() - oldest < STALLED_MILLISECONDS || due.length === 0) return null;
  return { due_at: new Date(oldest).toISOString(), workers };
}

function stripeEvents({
  missing_events,
  events_check_error: error,
}: AttentionRow): Attention["stripe_events"] {
  const missing = missing_events ?? [];
  return missing.length === 0 && error === null ? null : { missing, error };
}

function unreachableHosts(row: AttentionRow): Attention["unreachable_hosts"] {
  const hosts = [
    {
      use: "portal" as const,
      host: row.portal_host_wanted,
      proven_at: row.portal_host_proven_at,
      failing_since: row.portal_host_failing_since,
      unreachable_since: row.portal_host_unreachable_since,
    },
    {
      use: "link" as const,
      host: row.link_host_wanted,
      proven_at: row.link_host_proven_at,
      failing_since: row.link_host_failing_since,
      unreachable_since: row.link_host_unreachable_since,
    },
  ];
  return hosts.flatMap(({ use, host, ...state }) => {
    const since = unreachableSince(state);
    return host === null || since === null ? [] : [{ use, host, since: since.toISOString() }];
  });
}

/** A host name of the organization, if its record is gone. */
function failingHost(
  wanted: Pick<WantedHost, "host" | "proven_at" | "failing_since">,
): Attention["portal_host"] {
  const { host, failing_since } = wanted;
  if (host === null || failing_since === null) return null;
  const served_until = servedUntil(wanted)?.toISOString() ?? null;
  return { host, failing_since: failing_since.toISOString(), served_until };
}
