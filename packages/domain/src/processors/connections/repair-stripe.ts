import type { Processor } from "@findersfee/contract/processors/processors";
import { setEndpointState } from "@findersfee/database/processors/stripe-endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { addImmediateCheck } from "./check-events.ts";
import { isDisconnecting } from "./disconnect.ts";
import { requireLockedProcessor } from "./get.ts";
import { processorFields, viewProcessor } from "./view.ts";

/**
 * Queues a repair of the webhook endpoint that the service created at Stripe: it is enabled, gets all required event
 * types and the right address, or is created again. Errors: `not_found`, `invalid_request` for a connection without
 * such an endpoint, without a key, or that is being disconnected.
 */
export async function repairStripe(context: Context): Promise<Processor> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, "stripe");
    const { endpoint_state } = row;
    if (endpoint_state === null) {
      throw invalidField("name", "A person created the endpoint at Stripe: change it there.");
    }
    if (isDisconnecting(row)) {
      throw invalidField("name", "The connection is being disconnected.");
    }
    if (row.api_key_last_four === null) {
      throw invalidField("name", "The connection has no API key to repair the endpoint with.");
    }
    await setEndpointState(sql, organization_id, "creating");
    await addImmediateCheck(sql, organization_id);
    const after = { ...row, endpoint_state: "creating" as const, endpoint_error: null };
    await writeAuditEntry(sql, context, {
      resource: "processor",
      id: "stripe",
      action: "updated",
      before: processorFields(row),
      after: processorFields(after),
    });
    return viewProcessor(after);
  });
}
