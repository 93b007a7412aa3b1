import type { DisconnectProcessor, Processor } from "@findersfee/contract/processors/processors";
import type { Connection } from "@findersfee/database/postgres/connect";
import { deleteProcessor, type ProcessorRow } from "@findersfee/database/processors/processors";
import { setEndpointState } from "@findersfee/database/processors/stripe-endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { addImmediateCheck } from "./check-events.ts";
import { requireLockedProcessor } from "./get.ts";
import { processorFields, viewProcessor } from "./view.ts";

/**
 * Disconnects a processor: rejects its further messages and deletes its secrets. Messages already received are
 * processed, and their results stay. A webhook endpoint that the service created at Stripe is deleted there first, by
 * a job; if that fails, the connection shows why, and `leave_endpoint` ends it without. Errors: `not_found`.
 */
export async function disconnectProcessor(
  sender: Context,
  { name, leave_endpoint }: DisconnectProcessor,
): Promise<Processor> {
  const context = beyondQuotas(sender);
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, name);
    if (!isDisconnecting(row)) {
      await writeAuditEntry(sql, context, {
        resource: "processor",
        id: name,
        action: "deleted",
        before: processorFields(row),
        after: null,
      });
    }
    if (mayHaveEndpoint(row) && !leave_endpoint) return await deleteEndpoint(sql, row);
    await deleteProcessor(sql, organization_id, name);
    return viewProcessor(row);
  });
}

/** Whether the service created an endpoint, or does not know the result of an attempt. */
function mayHaveEndpoint({ endpoint_id, endpoint_request_id }: ProcessorRow): boolean {
  return endpoint_id !== null || endpoint_request_id !== null;
}

/** Has a job delete the endpoint, and then the connection. */
async function deleteEndpoint(sql: Connection, row: ProcessorRow): Promise<Processor> {
  await setEndpointState(sql, row.organization_id, "deleting");
  await addImmediateCheck(sql, row.organization_id);
  return viewProcessor({ ...row, endpoint_state: "deleting", endpoint_error: null });
}

/** Whether only the endpoint at Stripe is left to delete. */
export function isDisconnecting({ endpoint_state }: Pick<ProcessorRow, "endpoint_state">): boolean {
  return endpoint_state === "deleting" || endpoint_state === "undeletable";
}
