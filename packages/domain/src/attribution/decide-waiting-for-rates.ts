import { listDecidableCustomers, listWaitingOrganizations } from "@findersfee/database/exchange-rates";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { reattributeCustomers } from "./reattribute-customers.ts";

/** Customers of a transaction: workers wait for its lock. */
const BATCH = 50;

/** Decides the payments again that wait for exchange rates which are known by now. Returns the number of their customers. */
export async function decideWaitingForRates(database: Database, signal?: AbortSignal): Promise<number> {
  let decided = 0;
  for (const organization_id of await listWaitingOrganizations(database)) {
    for (let after: string | null = null; signal?.aborted !== true; ) {
      const customer_ids: string[] = await decideBatch(database, organization_id, after);
      decided += customer_ids.length;
      after = customer_ids.at(-1) ?? null;
      if (customer_ids.length < BATCH) break;
    }
  }
  return decided;
}

/** Decides about the next customers, in the order of their ids, and returns them. */
async function decideBatch(
  database: Database,
  organization_id: string,
  after: string | null,
): Promise<string[]> {
  const organization = await findOrganization(database, organization_id);
  if (organization === null) return [];
  return await transaction(database, async (sql) => {
    await lockPayments(sql, organization_id);
    const customer_ids = await listDecidableCustomers(sql, organization_id, { after, limit: BATCH });
    if (customer_ids.length === 0) return [];
    const { lookups } = await reattributeCustomers(sql, organization, {
      customer_ids,
      cause: "exchange rates",
    });
    if (lookups > 0) await notifyWorkers(sql, "lookups", [organization_id]);
    await notifyWorkers(sql, "events", [organization_id]);
    return customer_ids;
  });
}
