import type { Database } from "@findersfee/database/postgres/connect";
import { isTransient } from "@findersfee/database/postgres/errors";
import {
  ATTEMPTS,
  CLICKS,
  dropPartitions,
  hasPartition,
  makePartitions,
  type PartitionedTable,
} from "@findersfee/database/postgres/partitions";
import type { Logger } from "pino";

/**
 * Makes the partitions that a worker writes to. It starts without those ahead if a lock keeps them from being made: the
 * hourly job tries again.
 *
 * @throws when the present period has no partition and none can be made
 */
export async function preparePartitions(database: Database, log: Logger): Promise<void> {
  for (const table of [ATTEMPTS, CLICKS]) {
    try {
      await makePartitions(database, table);
    } catch (error) {
      if (!isTransient(error) || !(await hasPartition(database, table, new Date()))) throw error;
      log.warn({ err: error, table: table.name }, "creating partitions ahead failed; retrying in an hour");
    }
  }
}

/**
 * Makes a table's partitions ahead and drops those that ended before a moment. Steps that fail are logged and left to
 * the next hour.
 *
 * @throws if creating partitions ahead failed, after dropping the old ones
 */
export async function maintainPartitions(
  table: PartitionedTable,
  { before, database, log }: { before: Date; database: Database; log: Logger },
): Promise<void> {
  // biome-ignore lint/plugin/swallowed-failure: the reason is thrown below, after dropping the old ones
  const [made] = await Promise.allSettled([makePartitions(database, table)]);
  const { dropped, deferred } = await dropPartitions(database, table, before);
  if (dropped.length > 0) log.info({ table: table.name, partitions: dropped }, "dropped old partitions");
  for (const { partition, error } of deferred) {
    log.warn(
      { err: error, table: table.name, partition },
      "partition could not be dropped; the next hour tries again",
    );
  }
  if (made.status === "rejected") throw made.reason;
}
