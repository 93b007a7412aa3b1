import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import {
  advanceReplay,
  type DueReplay,
  lockDueReplay,
  postponeReplay,
  stepReplay as stepRows,
} from "@findersfee/database/webhooks/replays";
import type { ShardOwner } from "@findersfee/database/work/shards";
import { RETRY_DELAYS, repeatedDelay } from "../../work/retry-delays.ts";

const STEP = 500;
/** Maximum pending replayed deliveries of an endpoint; a replay continues below it. */
const MAX_PENDING = 500;

/** `waiting`: the endpoints of all due replays have enough to deliver. */
export type ReplayStep = "stepped" | "waiting" | "none";

/**
 * Runs the next step of an organization's replays. The deliveries that it makes due and its progress are one
 * transaction, so that it continues from there after a crash. A replay waits while its endpoint has a backlog.
 *
 * @throws the error of a step, after the replay was postponed
 */
export async function stepReplay(
  database: Database,
  organizationId: string,
  owner: ShardOwner,
): Promise<ReplayStep> {
  let replay: DueReplay | null = null;
  try {
    return await transaction(database, async (sql) => {
      replay = await lockDueReplay(sql, organizationId, { owner, most_pending: MAX_PENDING });
      if (replay === null) return "none";
      if (!replay.has_room) return "waiting";
      const { deliveries, last_event_id } = await stepRows(sql, replay, STEP);
      const finished = last_event_id === null;
      await advanceReplay(sql, replay, { deliveries, after_event_id: last_event_id, finished });
      return "stepped";
    });
  } catch (error) {
    if (replay !== null && !isOutage(error)) await postpone(database, { replay, owner, error });
    throw error;
  }
}

async function postpone(
  database: Database,
  { replay, owner, error }: { replay: DueReplay; owner: ShardOwner; error: unknown },
): Promise<void> {
  const seconds = repeatedDelay(RETRY_DELAYS.replays, replay.failures);
  await postponeReplay(database, replay, { owner, seconds, reason: String(error).slice(0, 500) });
}
