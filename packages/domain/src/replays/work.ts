import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/connect";
import { hasRunningReplay } from "@findersfee/database/replays";
import { stepReplay } from "./step.ts";

/** How often a replay is looked at that waits for its endpoint. */
const WAIT_MILLISECONDS = 250;
/** A job that only waits ends after so long; the next one comes within a minute. */
const LONGEST_WAIT_MILLISECONDS = 120_000;

/** Steps replays on until all are finished, or have waited for their endpoints for a while. */
export async function workReplays(
  database: Database,
  { signal, wake }: { signal: AbortSignal; wake: (organization_id: string) => void },
): Promise<void> {
  let waits_since = performance.now();
  while (!signal.aborted) {
    const stepped = await stepReplay(database);
    if (stepped !== null) {
      wake(stepped.organization_id);
      waits_since = performance.now();
      continue;
    }
    const has_waited = performance.now() - waits_since > LONGEST_WAIT_MILLISECONDS;
    if (has_waited || !(await hasRunningReplay(database))) return;
    await delay(WAIT_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
