import { reopenLookups } from "@findersfee/database/processors/lookups";
import { notifyWorkers } from "@findersfee/database/work/shards";
import type { StripeDependencies } from "./client.ts";
import { eachStripeAccount } from "./each-account.ts";

/** For this time, the nightly run looks up the payments of unmatched refunds and disputes again. */
const REOPENED_DAYS = 7;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Makes permanently failed lookups due again, and finished ones that found no payment. */
export async function reopenAllLookups({ database }: StripeDependencies, signal: AbortSignal): Promise<void> {
  await eachStripeAccount(database, signal, async ({ organization_id }) => {
    const wanted_after = new Date(Date.now() - REOPENED_DAYS * DAY_MILLISECONDS);
    const reopened = await reopenLookups(database, organization_id, { wanted_after });
    if (reopened > 0) await notifyWorkers(database, "lookups", [organization_id]);
  });
}
