import { type ClickRow, insertClicks, insertClicksWithoutWaiting } from "@findersfee/database/clicks";
import type { Database } from "@findersfee/database/connect";
import { CLICKS, hasNoPartition, makePartitions } from "@findersfee/database/partitions";
import { type GatherLimits, gather } from "../gather.ts";

/*
 * Clicks come in bursts, and most of what one costs the database is the same for many: a round trip, a
 * plan's start, a commit that waits for the disk. So those of all organizations are written together, one
 * group after the other: while one is written the next one is gathered, and the busier the process the larger
 * they are.
 *
 * No click may then wait for what is none of its own, so a group leaves out those of affiliates whose rows
 * are locked: another process counts clicks of the same one just now, or somebody changes it. These are
 * written by the organization's own groups, which wait.
 */

const TOGETHER: GatherLimits = { items: 500, at_once: 1, waiting: 10_000, wait_milliseconds: 5_000 };
const WAITING: GatherLimits = { items: 500, at_once: 1, waiting: 2_000, wait_milliseconds: 5_000 };

/** Records a click and counts it. False: its affiliate may no longer refer, and nothing was changed. */
export type WriteClick = (click: ClickRow) => Promise<boolean>;

/** Makes this process' way to write clicks. A click is durable when its promise resolves. */
export function createClickWriter(database: Database): WriteClick {
  const waiting = gather<ClickRow, boolean>((_, clicks) => write(database, clicks, insertClicks), WAITING);
  const together = gather<ClickRow, boolean>(async (_, clicks) => {
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
