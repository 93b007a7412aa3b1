import type { Endpoint } from "@findersfee/contract/webhooks/endpoints";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { cancelDeliveries } from "@findersfee/database/webhooks/deliveries";
import { deleteEndpoint as deleteRow } from "@findersfee/database/webhooks/endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedEndpoint } from "./get.ts";
import { endpointFields, viewEndpoint } from "./view.ts";

/** Deletes an endpoint and cancels its pending deliveries. Errors: `not_found`. */
export async function deleteEndpoint(sender: Context, id: string): Promise<Endpoint> {
  const context = beyondQuotas(sender);
  // If no worker has run for days, the log has no partition yet for deliveries that are canceled now.
  await makePartitions(context.database, ATTEMPTS, { ahead: 0 });
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, context.organization.id, id);
    await cancelDeliveries(sql, context.organization.id, id);
    await deleteRow(sql, context.organization.id, id);
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "deleted",
      before: endpointFields(row),
      after: null,
    });
    return viewEndpoint(row);
  });
}
