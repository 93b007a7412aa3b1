import { attemptErrorCodes, type Delivery } from "@findersfee/contract/deliveries";
import type { DeliveryRow, ListDeliveries } from "@findersfee/contract/delivery-rows";
import type { Page } from "@findersfee/contract/pages";
import type { Connection } from "@findersfee/database/connect";
import { listEventDeliveries as listEventRows } from "@findersfee/database/deliveries";
import {
  type DeliveryListRow,
  type DeliveryPosition,
  findLastSearched,
  listDeliveryRows,
} from "@findersfee/database/delivery-rows";
import type { Context } from "../context.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import { notFound } from "../errors.ts";
import { pageOf } from "../pages.ts";
import { type DeliveryQuery, deliveryCursor, deliveryFilter, readDeliveryCursor } from "./filter.ts";
import { viewDelivery } from "./view.ts";

/** The deliveries that one page searches for rare properties. */
const SEARCHED = 1_000;

/**
 * Deliveries of one endpoint or of all, newest event first. A page whose filter names more than endpoint, states and time
 * searches a limited number of deliveries: it may have fewer rows than `limit`, or none, and still a `next_cursor`. Errors:
 * `not_found` (endpoint).
 */
export async function listDeliveries(
  { database, organization }: Context,
  { limit, cursor, ...query }: ListDeliveries,
): Promise<Page<DeliveryRow>> {
  const after = readDeliveryCursor(cursor);
  const { rows, next } = await findDeliveries(database, organization.id, { query, after, limit });
  if (rows.length === 0 && query.endpoint_id !== undefined) {
    await requireEndpoint(database, organization.id, query.endpoint_id);
  }
  const page = pageOf(rows, { limit, view: viewRow, cursorOf: deliveryCursor });
  const pagination = {
    ...page.pagination,
    has_more: next !== null,
    next_cursor: next && deliveryCursor(next),
  };
  return { ...page, pagination };
}

/** The first deliveries of a list after a position, and the position from which to continue; null at the end. */
export async function findDeliveries(
  sql: Connection,
  organizationId: string,
  { query, after, limit }: { query: DeliveryQuery; after: DeliveryPosition | null; limit: number },
): Promise<{ rows: DeliveryListRow[]; next: DeliveryPosition | null }> {
  const filter = deliveryFilter(query);
  const { type, error_code, status, failed } = filter;
  const is_search = [type, error_code, status, failed].some((one) => one !== undefined);
  const searched = is_search ? SEARCHED : limit + 1;
  const range = { after, limit: limit + 1 };
  const found = await listDeliveryRows(sql, organizationId, { filter, range, searched });
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1) ?? null };
  if (!is_search) return { rows, next: null };
  return { rows, next: await findLastSearched(sql, organizationId, { filter, after, searched }) };
}

function viewRow(row: DeliveryListRow): DeliveryRow {
  return {
    ...viewDelivery(row),
    last_status: row.last_status,
    last_error_code: attemptErrorCodes.find((code) => code === row.last_error_code) ?? null,
    last_duration_milliseconds: row.last_duration_milliseconds,
  };
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
