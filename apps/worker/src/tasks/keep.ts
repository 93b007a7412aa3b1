import { dropAttemptPartitions, makeAttemptPartitions } from "@findersfee/database/attempt-partitions";
import { dropClickPartitions, makeClickPartitions } from "@findersfee/database/click-partitions";
import { deleteCountedClicks } from "@findersfee/database/clicks";
import type { Database } from "@findersfee/database/connect";
import { deleteExpiredSecrets } from "@findersfee/database/endpoint-secrets";
import { deleteOldLookups } from "@findersfee/database/lookups";
import { deleteOldMails } from "@findersfee/database/mails";
import { deleteOldMessages } from "@findersfee/database/processor-messages";
import { deleteOldEvents } from "@findersfee/database/retention";
import { firstIdOf } from "@findersfee/domain/ids";
import { MAILS_KEPT_DAYS } from "@findersfee/domain/mails/kept";
import { CLICKS_KEPT_DAYS } from "@findersfee/domain/tracking/kept";
import type { Logger } from "pino";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const PARTITION_DAYS_AHEAD = 3;
/** Of clicks: this month and the two after it. */
const PARTITION_MONTHS_AHEAD = 3;
const BATCH = 1_000;
/** A visitor counts once an hour, and clocks differ a little. */
const COUNTED_CLICKS_MILLISECONDS = 2 * 60 * 60 * 1000;

export interface Retention {
  /** Attempts with their responses. */
  attempts_days: number;
  /** Events with their deliveries, unless they are still to be delivered. */
  events_days: number;
  /** Payment processors' messages that are done or skipped; what came of them stays. */
  processor_messages_days: number;
}

/** Makes room for the attempts and clicks to come, and lets go of what is older than it is kept; the rest another time. */
export async function keepInTime(
  retention: Retention,
  { database, log, signal }: { database: Database; log: Logger; signal: AbortSignal },
): Promise<void> {
  await makeAttemptPartitions(database, PARTITION_DAYS_AHEAD);
  const dropped = await dropAttemptPartitions(database, daysAgo(retention.attempts_days));
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped old attempts");
  await keepClicks(database, log);
  const hours_before = new Date(Date.now() - COUNTED_CLICKS_MILLISECONDS);
  await deleteAll((limit) => deleteCountedClicks(database, { before: hours_before, limit }), signal);
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
  const settled_before = daysAgo(MAILS_KEPT_DAYS);
  const mails = await deleteAll(
    (limit) => deleteOldMails(database, { before: settled_before, limit }),
    signal,
  );
  if (mails > 0) log.info({ mails }, "deleted old mails");
}

async function keepClicks(database: Database, log: Logger): Promise<void> {
  await makeClickPartitions(database, PARTITION_MONTHS_AHEAD);
  const dropped = await dropClickPartitions(database, daysAgo(CLICKS_KEPT_DAYS));
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped old clicks");
}

/** In steps, so that no statement holds anything for long; returns how many. */
async function deleteAll(step: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await step(BATCH);
    total += deleted;
    if (deleted < BATCH || signal.aborted) return total;
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MILLISECONDS);
}
