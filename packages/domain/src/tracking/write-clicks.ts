import { type ClickRow, insertClicks, insertClicksWithoutWaiting } from "@findersfee/database/clicks";
import type { Database } from "@findersfee/database/connect";
import { CLICKS, hasNoPartition, makePartitions } from "@findersfee/database/partitions";
import { type BatchLimits, createBatcher } from "../batcher.ts";

/*
 * Clicks come in bursts, and most of what one costs the database is the same for many: a round trip, a
 * plan's start, a commit that waits for the disk. So those of all organizations are written together, one
 * group after the other: clicks that arrive during a write form the next group, and the busier the process the larger
 * they are.
 *
 * No click may then wait for what is none of its own, so a group leaves out those of affiliates whose rows
 * are locked: another process counts clicks of the same one just now, or somebody changes it. These are
 * written by the organization's own groups, which wait.
 */

const TOGETHER: BatchLimits = {
  max_batch_size: 500,
  max_concurrent_batches: 1,
  max_queued: 10_000,
  max_wait_milliseconds: 5_000,
};
const WAITING: BatchLimits = {
  max_batch_size: 500,
  max_concurrent_batches: 1,
  max_queued: 2_000,
  max_wait_milliseconds: 5_000,
};

/** Records a click and counts it. False: its affiliate may no longer refer, and nothing was changed. */
export type WriteClick = (click: ClickRow) => Promise<boolean>;

/** Makes this process' way to write clicks. A click is durable when its promise resolves. */
export function createClickWriter(database: Database): WriteClick {
  const waiting = createBatcher<ClickRow, boolean>(
    (_, clicks) => write(database, clicks, insertClicks),
    WAITING,
  );
  const together = createBatcher<ClickRow, boolean>(async (_, clicks) => {
    const written = await write(database, clicks, insertClicksWithoutWaiting);
    return clicks.map((click, index) => written[index] === true || waiting(click.organization_id, click));
  }, TOGETHER);
  return (click) => together("", click);
}

async function write(
  database: Database,
  clicks: ClickRow[],
  insert: typeof insertClicks,
): Promise<boolean[]> {
  const written = await insert(database, clicks).catch(async (error: unknown) => {
    if (!hasNoPartition(error)) throw error;
    // A month has begun for which no worker has made a partition.
    await makePartitions(database, CLICKS, { ahead: 0 });
    return await insert(database, clicks);
  });
  return clicks.map(({ id }) => written.has(id));
}
