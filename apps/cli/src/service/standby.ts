import type { Database } from "@findersfee/database/postgres/connect";
import { isStandby } from "@findersfee/database/replicas/probe";

const STANDBY =
  "The database is a standby, which takes no changes: name the primary in DATABASE_URL (and DATABASE_DIRECT_URL), or promote the standby.";

/**
 * Call it before work that begins with changes.
 *
 * @throws an error that says what to do when the database is a standby
 */
export async function requirePrimary(database: Database): Promise<void> {
  if (await isStandby(database)) throw new Error(STANDBY);
}
