import type { Connection, Database } from "@findersfee/database/connect";
import { notifyDeliveries } from "@findersfee/database/delivery-shards";
import { addJob } from "@findersfee/database/queue";

/** Between two notifications of one process. */
const DELIVERIES_APART_MILLISECONDS = 8;
/** Between two jobs of one process. A busy worker asks the database without being woken. */
const JOBS_APART_MILLISECONDS = 25;

/** The job that owns a shard of the endpoints, and delivers to them. */
export const DELIVER = "deliver";
/** The job that makes a worker look for messages of processors that are to be worked off. */
export const WORK_OFF = "work_off";
/** The job that fetches the data from Stripe that payment facts wait for. */
export const LOOK_UP = "look_up";
/** The job that works on replays until all are finished. */
export const REPLAY = "replay";

/** Starts the workers on a new replay, in its transaction. */
export async function startReplay(sql: Connection): Promise<void> {
  await addJob(sql, REPLAY, { key: REPLAY });
}

/**
 * Returns the function that notifies all workers of an organization's new deliveries. It returns at once and never
 * fails: a worker finds deliveries without a notification a moment later. Call it after the commit.
 */
export function createWake(
  database: Database,
  onError: (error: unknown) => void,
): (organization_id: string) => void {
  let wanted = new Set<string>();
  const run = createRun(DELIVERIES_APART_MILLISECONDS, async () => {
    const organization_ids = [...wanted];
    wanted = new Set();
    await notifyDeliveries(database, organization_ids).catch(onError);
  });
  return (organization_id) => {
    wanted.add(organization_id);
    run();
  };
}

/** The same for messages of processors, which any one worker takes. */
export function createWorkOffWake(database: Database, onError: (error: unknown) => void): () => void {
  return createRun(JOBS_APART_MILLISECONDS, async () => {
    await addJob(database, WORK_OFF, { key: WORK_OFF }).catch(onError);
  });
}

/** Runs `work` at once, and again if it was requested while it ran, so many milliseconds apart. */
function createRun(apart_milliseconds: number, work: () => Promise<void>): () => void {
  let is_running = false;
  let is_wanted = false;
  const run = async () => {
    is_running = true;
    while (is_wanted) {
      is_wanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, apart_milliseconds).unref());
    }
    is_running = false;
  };
  return () => {
    is_wanted = true;
    if (!is_running) void run();
  };
}
