import type { Database } from "@findersfee/database/postgres/connect";
import { CLICKS, hasNoPartition, makePartitions } from "@findersfee/database/postgres/partitions";
import {
  type ClickRow,
  insertClicks,
  insertClicksWithoutWaiting,
} from "@findersfee/database/tracking/clicks";
import { type BatchLimits, createBatcher } from "../caching/batcher.ts";

/*
 * Clicks arrive in bursts, and most of the database cost is per statement: a round trip, a plan's start, a commit that
 * waits for the disk. So the clicks of all organizations are written in batches, one after the other: clicks that
 * arrive during a write form the next batch, so batches grow with the load.
 *
 * No click may wait for another organization's lock, so a batch omits clicks of affiliates with a locked row: another
 * process is counting clicks of the same affiliate, or a change is in progress. These clicks are written in batches per
 * organization, which wait.
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

/** Creates this process' click writer. A click is durable when its promise resolves. */
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
    // A month has started, and no worker has created its partition.
    await makePartitions(database, CLICKS, { ahead: 0 });
    return await insert(database, clicks);
  });
  return clicks.map(({ id }) => written.has(id));
}
