import type { Database } from "@findersfee/database/connect";
import { findOrganization } from "@findersfee/database/organizations";
import { listDuePayoutDays } from "@findersfee/database/payout-runs";
import { periodOf } from "./period.ts";
import { startPayoutRun } from "./start.ts";

/**
 * Begins the runs of organizations whose payout day it is, or was in this month while no worker ran. Returns how
 * many.
 */
export async function startDuePayoutRuns(database: Database, now: Date): Promise<number> {
  const period = periodOf(now);
  const ids = await listDuePayoutDays(database, { day: now.getUTCDate(), period });
  for (const id of ids) {
    const organization = await findOrganization(database, id);
    if (organization === null) continue;
    await startPayoutRun(
      { database, organization, actor: "payout day", idempotency: null, wake: () => {} },
      { period, method: "manual" },
    );
  }
  return ids.length;
}
