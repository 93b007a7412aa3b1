import type { Delivery } from "@findersfee/contract/webhooks/deliveries";
import type { TestEndpoint } from "@findersfee/contract/webhooks/endpoints";
import { eventExample } from "@findersfee/contract/webhooks/event-example";
import { findDelivery, insertTestEvent } from "@findersfee/database/webhooks/deliveries";
import type { Context } from "../../context.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import { viewEndpoint } from "../endpoints/view.ts";
import { viewDelivery } from "./view.ts";

/**
 * Sends an event with example data to one endpoint; the events feed does not show it. The default type is one that the
 * endpoint subscribes to. Errors: `not_found`.
 */
export async function testEndpoint(context: Context, { id, type }: TestEndpoint): Promise<Delivery> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const { event_types } = viewEndpoint(await requireEndpoint(sql, organization_id, id));
    const sent = type ?? event_types?.[0] ?? "commission.created";
    const created_at = new Date();
    const body = JSON.stringify({ type: sent, data: eventExample(sent) });
    const event = { id: newId(created_at), type: sent, body, created_at };
    await insertTestEvent(sql, organization_id, { endpoint_id: id, event });
    const row = await findDelivery(sql, organization_id, { event_id: event.id, endpoint_id: id });
    if (row === null) throw new Error(`the test event ${event.id} was not written`);
    return viewDelivery(row);
  });
}
