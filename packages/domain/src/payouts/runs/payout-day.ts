import { findOrganization } from "@findersfee/database/organizations/organizations";
import { listDuePayoutDays } from "@findersfee/database/payouts/runs";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Actor } from "../../actor.ts";
import { periodOf } from "./period.ts";
import { startPayoutRun } from "./start.ts";

const PAYOUT_DAY: Actor = { kind: "automatic", name: "payout day" };

/**
 * Starts the runs of organizations with their payout day today, or earlier in this month while no worker ran. Returns
 * the number of runs.
 */
export async function startDuePayoutRuns(database: Database, now: Date): Promise<number> {
  const period = periodOf(now);
  const ids = await listDuePayoutDays(database, { day: now.getUTCDate(), period });
  for (const id of ids) {
    const organization = await findOrganization(database, id);
    if (organization === null) continue;
    await startPayoutRun(
      { database, organization, actor: PAYOUT_DAY, idempotency: null, notifyWorkers: () => {} },
      { period, method: "manual" },
    );
  }
  return ids.length;
}
