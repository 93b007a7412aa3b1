import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
  type ListDeliveries,
} from "@findersfee/contract/deliveries";
import type { Page } from "@findersfee/contract/pages";
import {
  listEventDeliveries as listEventRows,
  listDeliveries as listRows,
} from "@findersfee/database/deliveries";
import type { Context } from "../context.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import { notFound } from "../errors.ts";
import { pageOf } from "../pages.ts";
import { viewDelivery } from "./view.ts";

/** An endpoint's deliveries, newest event first. Errors: `not_found` (endpoint). */
export async function listDeliveries(
  { database, organization }: Context,
  query: ListDeliveries,
): Promise<Page<Delivery>> {
  await requireEndpoint(database, organization.id, query.endpoint_id);
  const wanted: readonly DeliveryState[] = query.state === undefined ? deliveryStates : [query.state];
  const rows = await listRows(database, organization.id, {
    endpoint_id: query.endpoint_id,
    states: wanted,
    type: query.type ?? null,
    below: query.cursor ?? null,
    limit: query.limit + 1,
  });
  return pageOf(rows, { limit: query.limit, view: viewDelivery, cursorOf: ({ event_id }) => event_id });
}

/** An event's deliveries, one for each endpoint. Errors: `not_found` (event). */
export async function listEventDeliveries(
  { database, organization }: Context,
  event_id: string,
): Promise<Delivery[]> {
  const rows = await listEventRows(database, organization.id, event_id);
  if (rows.length === 0) throw notFound("event");
  return rows.map(viewDelivery);
}
