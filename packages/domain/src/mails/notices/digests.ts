import { insertDigests } from "@findersfee/database/mails/digests";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";

/** Organizations of one transaction. */
const BATCH = 500;

/**
 * Writes the digests of all organizations in which the morning has begun, unless today's are written. Returns the number of
 * organizations with one.
 */
export async function writeDigests(database: Database, now: Date): Promise<number> {
  let mailed = 0;
  for (;;) {
    const written = await transaction(database, async (sql) => {
      const batch = await insertDigests(sql, { now, limit: BATCH });
      if (batch.mailed.length > 0) await notifyWorkers(sql, "mails", batch.mailed);
      return batch;
    });
    mailed += written.mailed.length;
    if (written.organizations < BATCH) return mailed;
  }
}
