import type { DeliveryId, DeliveryWithAttempts } from "@findersfee/contract/webhooks/deliveries";
import { isEventType } from "@findersfee/contract/webhooks/events";
import { findDelivery, findEventBody, listAttempts } from "@findersfee/database/webhooks/deliveries";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewAttempt, viewDelivery } from "./view.ts";

/** One delivery with its attempts, and all that their signatures cover. Errors: `not_found`. */
export async function getDelivery(
  { database, organization }: Context,
  { event_id, endpoint_id }: DeliveryId,
): Promise<DeliveryWithAttempts> {
  const row = await findDelivery(database, organization.id, { event_id, endpoint_id });
  if (row === null || !isEventType(row.event_type)) throw notFound("delivery");
  const attempts = await listAttempts(database, organization.id, { event_id, endpoint_id });
  const body = await findEventBody(database, organization.id, event_id);
  // Retention deleted the event since.
  if (body === null) throw notFound("delivery");
  return { ...viewDelivery(row), attempt_log: attempts.map(viewAttempt), body };
}
