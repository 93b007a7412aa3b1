import { findOrganization } from "@findersfee/database/organizations/organizations";
import { listPayoutCalendars } from "@findersfee/database/payouts/calendar";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Actor } from "../../actor.ts";
import { duePeriod, periodOf } from "./calendar.ts";
import { startPayoutRun } from "./start.ts";

const PAYOUT_DAY: Actor = { kind: "automatic", name: "payout day" };

/** Where each month begins first. */
const FIRST_ZONE = "Etc/GMT-14";

/**
 * Starts the runs of organizations with their payout day today in their time zone, or earlier while no worker ran. Returns
 * the number of runs.
 */
export async function startDuePayoutRuns(database: Database, now: Date): Promise<number> {
  const latest = periodOf({ time_zone: FIRST_ZONE, last_period: null }, now);
  const calendars = await listPayoutCalendars(database, { without_run_of: latest });
  let started = 0;
  for (const { id, ...calendar } of calendars) {
    const period = duePeriod(calendar, now);
    if (period === null) continue;
    const organization = await findOrganization(database, id);
    if (organization === null) continue;
    await startPayoutRun(
      { database, organization, actor: PAYOUT_DAY, idempotency: null, notifyWorkers: () => {} },
      { period, method: "manual" },
      now,
    );
    started += 1;
  }
  return started;
}
