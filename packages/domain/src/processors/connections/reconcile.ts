import type { Processor, ProcessorName } from "@findersfee/contract/processors/processors";
import { requestReading } from "@findersfee/database/processors/reconciliation";
import { addJob } from "@findersfee/database/work/queue";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedProcessor } from "./get.ts";
import { viewProcessor } from "./view.ts";

/** The job that imports an organization's missed events from Stripe. */
export const RECONCILE = "reconcile_requested";

/**
 * Queues an import of the last days' missed events; the list of connections shows its progress. Errors: `not_found`,
 * `invalid_request` for a connection without an API key.
 */
export async function requestReconciliation(context: Context, name: ProcessorName): Promise<Processor> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, name);
    if (row.api_key_last_four === null) {
      throw invalidField("name", "The connection has no API key to read events with.");
    }
    await requestReading(sql, { organization_id, name });
    await addJob(sql, RECONCILE, {
      payload: { organization_id },
      key: `${RECONCILE}:${organization_id}`,
      queue: RECONCILE,
    });
    return viewProcessor(row);
  });
}
