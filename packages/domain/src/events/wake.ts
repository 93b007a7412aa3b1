import type { Database } from "@findersfee/database/connect";
import { addJob } from "@findersfee/database/queue";

/** Between two jobs of one process. A busy worker asks the database by itself. */
const APART_MILLISECONDS = 25;

/** The job that makes a worker look for due deliveries. */
export const DELIVER = "deliver";
/** The job that makes a worker look for messages of processors that are to be worked off. */
export const WORK_OFF = "work_off";

/**
 * Returns the function that tells the workers that there may be work of a kind: deliveries, if nothing else
 * is said. It returns at once and never fails: if no worker hears of it, one finds the work by itself a
 * moment later.
 */
export function createWake(
  database: Database,
  onError: (error: unknown) => void,
  job: typeof DELIVER | typeof WORK_OFF = DELIVER,
): () => void {
  let is_running = false;
  let is_wanted = false;
  const run = async () => {
    is_running = true;
    while (is_wanted) {
      is_wanted = false;
      await addJob(database, job, { key: job }).catch(onError);
      await new Promise((resolve) => setTimeout(resolve, APART_MILLISECONDS).unref());
    }
    is_running = false;
  };
  return () => {
    is_wanted = true;
    if (!is_running) void run();
  };
}
