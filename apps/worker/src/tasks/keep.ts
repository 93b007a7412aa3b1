import { dropAttemptPartitions, makeAttemptPartitions } from "@findersfee/database/attempt-partitions";
import type { Database } from "@findersfee/database/connect";
import { deleteOldEvents } from "@findersfee/database/retention";
import { firstIdOf } from "@findersfee/domain/ids";
import type { Logger } from "pino";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const PARTITION_DAYS_AHEAD = 3;
const BATCH = 1_000;

export interface Retention {
  /** Attempts with their responses. */
  attempts_days: number;
  /** Events with their deliveries, unless they are still to be delivered. */
  events_days: number;
}

/** Makes room for the attempts to come, and lets go of what is older than it is kept; the rest another time. */
export async function keepInTime(
  retention: Retention,
  { database, log, signal }: { database: Database; log: Logger; signal: AbortSignal },
): Promise<void> {
  await makeAttemptPartitions(database, PARTITION_DAYS_AHEAD);
  const dropped = await dropAttemptPartitions(database, daysAgo(retention.attempts_days));
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped old attempts");
  const before_id = firstIdOf(daysAgo(retention.events_days));
  for (let total = 0; ; ) {
    const deleted = await deleteOldEvents(database, { before_id, limit: BATCH });
    total += deleted;
    if (deleted === BATCH && !signal.aborted) continue;
    if (total > 0) log.info({ events: total }, "deleted old events");
    return;
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MILLISECONDS);
}
