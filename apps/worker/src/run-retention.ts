import { BACKTESTS_RETENTION_DAYS } from "@findersfee/contract/attribution/backtests";
import { deleteOldBacktests } from "@findersfee/database/attribution/backtests";
import { deleteOldClaims } from "@findersfee/database/customers/claims";
import { deleteExpiredCredentials } from "@findersfee/database/identity/expired-credentials";
import { deleteOldSecurityEvents } from "@findersfee/database/identity/security-events";
import { deleteOldMails } from "@findersfee/database/mails/mails";
import { deleteExpiredPortalCodes } from "@findersfee/database/portal/codes";
import { deleteOldPayoutEmailChanges } from "@findersfee/database/portal/payout-email-changes";
import { deleteExpiredPortalTokens } from "@findersfee/database/portal/tokens";
import type { Database } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, CLICKS } from "@findersfee/database/postgres/partitions";
import { deleteOldLookups } from "@findersfee/database/processors/lookups";
import { deleteOldMessages } from "@findersfee/database/processors/messages";
import { deleteCountedClicks } from "@findersfee/database/tracking/clicks";
import { deleteOldAffiliateNetworks } from "@findersfee/database/tracking/networks";
import { deleteOldSubIdClicks } from "@findersfee/database/tracking/sub-ids";
import { deleteExpiredSecrets } from "@findersfee/database/webhooks/endpoint-secrets";
import { deleteOldEvents } from "@findersfee/database/webhooks/retention";
import { deleteOldJobFiles } from "@findersfee/database/work/job-files";
import { deleteOldJobs } from "@findersfee/database/work/jobs";
import { CLICKS_RETENTION_DAYS } from "@findersfee/domain/attribution/facts/clicks";
import { CLAIMS_RETENTION_DAYS } from "@findersfee/domain/customers/claims/retention";
import { SECURITY_EVENTS_RETENTION_DAYS } from "@findersfee/domain/identity/accounts/security-event-retention";
import { firstIdOf } from "@findersfee/domain/ids";
import { MAILS_RETENTION_DAYS } from "@findersfee/domain/mails/retention";
import { SUB_ID_CLICKS_RETENTION_DAYS } from "@findersfee/domain/portal/sub-ids";
import { FILES_RETENTION_DAYS, JOBS_RETENTION_DAYS } from "@findersfee/domain/work/jobs/limits";
import type { Logger } from "pino";
import { maintainPartitions } from "./work/partitions.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const BATCH = 1_000;
/** A visitor counts once an hour, and clocks differ a little. */
const COUNTED_CLICKS_MILLISECONDS = 2 * 60 * 60 * 1000;

export interface Retention {
  /** Attempts with their responses. */
  attempts_days: number;
  /** Events with their deliveries, unless they are still to be delivered. */
  events_days: number;
  /** Payment processors' messages that are done or skipped; their results stay. */
  processor_messages_days: number;
}

/**
 * Deletes rows and partitions after their retention, in steps.
 *
 * @throws the first error of the partitions, after all other steps
 */
export async function runRetention(
  retention: Retention,
  {
    database,
    long_database,
    log,
    signal,
  }: { database: Database; long_database: Database; log: Logger; signal: AbortSignal },
): Promise<void> {
  // biome-ignore lint/plugin/swallowed-failure: the first reason is thrown below, after deleting old rows
  const partitions = await Promise.allSettled([
    maintainPartitions(ATTEMPTS, { before: daysAgo(retention.attempts_days), database, log }),
    maintainPartitions(CLICKS, { before: daysAgo(CLICKS_RETENTION_DAYS), database, log }),
  ]);
  await deleteOldRows(retention, { database: long_database, log, signal });
  for (const result of partitions) if (result.status === "rejected") throw result.reason;
}

async function deleteOldRows(
  retention: Retention,
  { database, log, signal }: { database: Database; log: Logger; signal: AbortSignal },
): Promise<void> {
  const hours_before = new Date(Date.now() - COUNTED_CLICKS_MILLISECONDS);
  await deleteAll((limit) => deleteCountedClicks(database, { before: hours_before, limit }), signal);
  const sub_ids_before = daysAgo(SUB_ID_CLICKS_RETENTION_DAYS);
  await deleteAll((limit) => deleteOldSubIdClicks(database, { before: sub_ids_before, limit }), signal);
  const networks_before = daysAgo(CLICKS_RETENTION_DAYS);
  await deleteAll(
    (limit) => deleteOldAffiliateNetworks(database, { before: networks_before, limit }),
    signal,
  );
  const before_id = firstIdOf(daysAgo(retention.events_days));
  const events = await deleteAll((limit) => deleteOldEvents(database, { before_id, limit }), signal);
  if (events > 0) log.info({ events }, "deleted old events");
  const before = daysAgo(retention.processor_messages_days);
  const messages = await deleteAll((limit) => deleteOldMessages(database, { before, limit }), signal);
  if (messages > 0) log.info({ messages }, "deleted old messages of processors");
  const lookups = await deleteAll((limit) => deleteOldLookups(database, { before, limit }), signal);
  if (lookups > 0) log.info({ lookups }, "deleted old lookups");
  const secrets = await deleteAll((limit) => deleteExpiredSecrets(database, limit), signal);
  if (secrets > 0) log.info({ secrets }, "deleted expired secrets of endpoints");
  const finished_before = daysAgo(MAILS_RETENTION_DAYS);
  const mails = await deleteAll(
    (limit) => deleteOldMails(database, { before: finished_before, limit }),
    signal,
  );
  if (mails > 0) log.info({ mails }, "deleted old mails");
  const claims_before = daysAgo(CLAIMS_RETENTION_DAYS);
  const claims = await deleteAll(
    (limit) => deleteOldClaims(database, { before: claims_before, limit }),
    signal,
  );
  if (claims > 0) log.info({ claims }, "deleted old claims");
  await deleteOldJobRows({ database, log, signal });
  const expired_before = new Date();
  const credentials = await deleteAll(
    (limit) => deleteExpiredCredentials(database, { before: expired_before, limit }),
    signal,
  );
  await deleteAll((limit) => deleteExpiredPortalTokens(database, { before: expired_before, limit }), signal);
  // Wrong codes count for a day.
  const codes_before = daysAgo(1);
  await deleteAll((limit) => deleteExpiredPortalCodes(database, { before: codes_before, limit }), signal);
  // The mails about a change are composed from its request.
  const changes_before = daysAgo(MAILS_RETENTION_DAYS);
  await deleteAll(
    (limit) => deleteOldPayoutEmailChanges(database, { before: changes_before, limit }),
    signal,
  );
  const events_before = daysAgo(SECURITY_EVENTS_RETENTION_DAYS);
  await deleteAll((limit) => deleteOldSecurityEvents(database, { before: events_before, limit }), signal);
  if (credentials > 0) log.info({ credentials }, "deleted expired sessions, links and challenges");
}

/** Files and totals of backtests first: they are large, and go one job at a time. */
async function deleteOldJobRows({
  database,
  log,
  signal,
}: {
  database: Database;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const files_before = daysAgo(FILES_RETENTION_DAYS);
  const files = await deleteAll(
    (limit) => deleteOldJobFiles(database, { before: files_before, limit }),
    signal,
    1,
  );
  if (files > 0) log.info({ jobs: files }, "deleted old files of jobs");
  const backtests_before = daysAgo(BACKTESTS_RETENTION_DAYS);
  const backtests = await deleteAll(
    (limit) => deleteOldBacktests(database, { before: backtests_before, limit }),
    signal,
    1,
  );
  if (backtests > 0) log.info({ backtests }, "deleted old backtests");
  const before = daysAgo(JOBS_RETENTION_DAYS);
  const jobs = await deleteAll((limit) => deleteOldJobs(database, { before, limit }), signal);
  if (jobs > 0) log.info({ jobs }, "deleted old jobs");
}

/** In steps, so that no statement holds anything for long; returns how many. */
async function deleteAll(
  step: (limit: number) => Promise<number>,
  signal: AbortSignal,
  batch = BATCH,
): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await step(batch);
    total += deleted;
    if (deleted < batch || signal.aborted) return total;
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MILLISECONDS);
}
