import type { Delivery } from "@findersfee/contract/deliveries";
import { eventExample } from "@findersfee/contract/event-example";
import { findDelivery, insertTestEvent } from "@findersfee/database/deliveries";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { viewDelivery } from "../deliveries/view.ts";
import { newId } from "../ids.ts";
import { requireEndpoint } from "./get.ts";
import { viewEndpoint } from "./view.ts";

/**
 * Sends an event of a type that the endpoint gets, with example data, to that endpoint alone; the events
 * feed does not show it. Errors: `not_found`.
 */
export async function testEndpoint(context: Context, id: string): Promise<Delivery> {
  const organization_id = context.organization.id;
  return await change(context, async (sql) => {
    const { event_types } = viewEndpoint(await requireEndpoint(sql, organization_id, id));
    const type = event_types?.[0] ?? "commission.created";
    const created_at = new Date();
    const event = {
      id: newId(created_at),
      type,
      body: JSON.stringify({ type, data: eventExample(type) }),
      created_at,
    };
    await insertTestEvent(sql, organization_id, { endpoint_id: id, event });
    const row = await findDelivery(sql, organization_id, { event_id: event.id, endpoint_id: id });
    if (row === null) throw new Error(`the test event ${event.id} was not written`);
    return viewDelivery(row);
  });
}
