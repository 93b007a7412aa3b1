import type { Transaction } from "@findersfee/database/connect";
import { type Database, transaction } from "@findersfee/database/connect";
import { cancelDeliveries } from "@findersfee/database/deliveries";
import { type DisabledEndpoint, disableFailing, disableGone } from "@findersfee/database/endpoint-disabling";
import { addJob } from "@findersfee/database/queue";

/** An endpoint whose every delivery failed for so long is disabled (webhooks). */
const FAILING_DAYS = 5;

/** The job that tells an organization's owners that an endpoint was disabled. */
export const TELL_OWNERS = "tell_owners";

/** Disables an endpoint that answered 410, and has its owners told; does nothing when it is disabled. */
export async function disableGoneEndpoint(database: Database, endpoint: DisabledEndpoint): Promise<void> {
  await transaction(database, async (sql) => {
    if (await disableGone(sql, endpoint)) await settleDisabled(sql, endpoint);
  });
}

/** Disables the endpoints that have failed for days, and has their owners told; returns how many. */
export async function disableFailingEndpoints(database: Database): Promise<number> {
  return await transaction(database, async (sql) => {
    const disabled = await disableFailing(sql, FAILING_DAYS);
    for (const endpoint of disabled) await settleDisabled(sql, endpoint);
    return disabled.length;
  });
}

async function settleDisabled(sql: Transaction, endpoint: DisabledEndpoint): Promise<void> {
  await cancelDeliveries(sql, endpoint.organization_id, endpoint.endpoint_id);
  await tellOwners(sql, endpoint);
}

/** In the transaction that disables it: the mail is as certain as the change. */
async function tellOwners(
  sql: Transaction,
  { organization_id, endpoint_id }: DisabledEndpoint,
): Promise<void> {
  await addJob(sql, TELL_OWNERS, { payload: { organization_id, endpoint_id } });
}
