import { type Database, transaction } from "@findersfee/database/connect";
import { advanceReplay, lockRunningReplay, stepReplay as stepRows } from "@findersfee/database/replays";

const STEP = 500;
/** Replayed deliveries of an endpoint that are still pending: a replay steps on below so many. */
const MOST_PENDING = 500;

/**
 * Does the next step of a replay that is not finished: what it made due and how far it is are one transaction, so that
 * it goes on where it was, whatever dies. A replay waits while its endpoint has enough to do. Returns the replay's
 * organization; null: none could be stepped.
 */
export async function stepReplay(database: Database): Promise<{ organization_id: string } | null> {
  return await transaction(database, async (sql) => {
    const replay = await lockRunningReplay(sql, MOST_PENDING);
    if (replay === null) return null;
    const { deliveries, last_event_id } = await stepRows(sql, replay, STEP);
    await advanceReplay(sql, replay, {
      deliveries,
      after_event_id: last_event_id,
      finished: last_event_id === null,
    });
    return { organization_id: replay.organization_id };
  });
}
