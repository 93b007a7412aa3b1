import type { DeliveryId, DeliveryWithAttempts } from "@findersfee/contract/deliveries";
import { findDelivery, listAttempts } from "@findersfee/database/deliveries";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewAttempt, viewDelivery } from "./view.ts";

/** One delivery with its attempts. Errors: `not_found`. */
export async function getDelivery(
  { database, organization }: Context,
  { event_id, endpoint_id }: DeliveryId,
): Promise<DeliveryWithAttempts> {
  const row = await findDelivery(database, organization.id, { event_id, endpoint_id });
  if (row === null) throw notFound("delivery");
  const attempts = await listAttempts(database, organization.id, { event_id, endpoint_id });
  return { ...viewDelivery(row), attempt_log: attempts.map(viewAttempt) };
}
