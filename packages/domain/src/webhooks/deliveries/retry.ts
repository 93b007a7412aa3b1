import type { Delivery, DeliveryId } from "@findersfee/contract/webhooks/deliveries";
import { findDelivery, findEventType, makeDue } from "@findersfee/database/webhooks/deliveries";
import type { Context } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedEndpoint } from "../endpoints/get.ts";
import { viewDelivery } from "./view.ts";

/**
 * Sends an event to an endpoint now, regardless of earlier attempts, even if the endpoint never received it. Errors:
 * `not_found` (endpoint, event); `invalid_request` when the endpoint is disabled.
 */
export async function retryDelivery(
  context: Context,
  { event_id, endpoint_id }: DeliveryId,
): Promise<Delivery> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const endpoint = await requireLockedEndpoint(sql, organization_id, endpoint_id);
    if ((await findEventType(sql, organization_id, event_id)) === null) throw notFound("event");
    if (!endpoint.enabled) {
      throw new DomainError("invalid_request", { message: "The endpoint is disabled; enable it first." });
    }
    await makeDue(sql, organization_id, { event_id, endpoint_id });
    const row = await findDelivery(sql, organization_id, { event_id, endpoint_id });
    if (row === null) throw new Error(`the delivery of ${event_id} was not written`);
    return viewDelivery(row);
  });
}
