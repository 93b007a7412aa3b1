import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { Page } from "@findersfee/contract/pages";
import type { RowCount } from "@findersfee/contract/row-pages";
import { attemptErrorCodes, type Delivery } from "@findersfee/contract/webhooks/deliveries";
import type {
  DeliveryRow,
  ListDeliveries,
  MatchDeliveries,
} from "@findersfee/contract/webhooks/delivery-rows";
import { isEventType } from "@findersfee/contract/webhooks/events";
import type { Connection } from "@findersfee/database/postgres/connect";
import { listEventDeliveries as listEventRows } from "@findersfee/database/webhooks/deliveries";
import {
  countDeliveryRows,
  type DeliveryListRow,
  type DeliveryPosition,
  type DeliveryRowFilter,
  findLastSearched,
  listDeliveryRows,
} from "@findersfee/database/webhooks/list-delivery-rows";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { firstIdOf, timeOfId } from "../../ids.ts";
import { pageOf } from "../../pages.ts";
import { countRows } from "../../row-counts.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import {
  type DeliveryFilter,
  type DeliveryQuery,
  deliveryCursor,
  deliveryFilter,
  readDeliveryCursor,
} from "./filter.ts";
import { viewDelivery } from "./view.ts";

/** The deliveries that one page searches for rare properties. */
const SEARCHED = 2_000;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/**
 * Each day has a partition, and planning for all of them takes longer than reading a page. So a page first looks at the
 * events of these days before its beginning, and at all if there are not enough.
 */
const FIRST_DAYS = 2;
/** Clocks of the processes that record events may be ahead of those that deliver them. */
const CLOCK_SKEW_MILLISECONDS = 60 * 60 * 1000;

/**
 * Deliveries of one endpoint or of all, newest event first. With a filter of more than endpoint, states and time, a page
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
  const known = rows.filter(({ event_type }) => isEventType(event_type));
  const page = pageOf(known, { limit, view: viewRow, cursorOf: deliveryCursor });
  const pagination = {
    ...page.pagination,
    has_more: next !== null,
    next_cursor: next && deliveryCursor(next),
  };
  return { ...page, pagination };
}

/**
 * The number of deliveries on all pages of the list. With a filter of more than endpoint, states and time, it is that of the
 * newest deliveries of these.
 */
export async function countListedDeliveries(context: Context, query: MatchDeliveries): Promise<RowCount> {
  const filter = withAttempts(deliveryFilter(query));
  const { organization } = context;
  const searched = MAX_COUNTED_ROWS + 1;
  const counted = await countRows(context, (sql) =>
    countDeliveryRows(sql, organization.id, { filter, searched }),
  );
  if (counted.has_more || !isSearch(filter)) return counted;
  const last = await findLastSearched(context.database, organization.id, { filter, after: null, searched });
  return { ...counted, has_more: last !== null };
}

function isSearch({ type, error_code, status, failed }: DeliveryFilter): boolean {
  return [type, error_code, status, failed].some((one) => one !== undefined);
}

/** The first deliveries of a list after a position, and the position from which to continue; null at the end. */
export async function findDeliveries(
  sql: Connection,
  organizationId: string,
  { query, after, limit }: { query: DeliveryQuery; after: DeliveryPosition | null; limit: number },
): Promise<{ rows: DeliveryListRow[]; next: DeliveryPosition | null }> {
  const filter = deliveryFilter(query);
  const is_search = isSearch(filter);
  const searched = is_search ? SEARCHED : limit + 1;
  const range = { after, limit: limit + 1 };
  for (const within of windows(filter, after)) {
    const found = await listDeliveryRows(sql, organizationId, { filter: within, range, searched });
    const rows = found.slice(0, limit);
    if (found.length > limit) return { rows, next: rows.at(-1) ?? null };
    const next = is_search
      ? await findLastSearched(sql, organizationId, { filter: within, after, searched })
      : null;
    if (next !== null || within.from_id === filter.from_id) return { rows, next };
  }
  throw new Error("the last window has all deliveries of the filter");
}

/** The filter within the last days before a position, unless it ends there itself; then without a limit. */
function windows(query: DeliveryFilter, after: DeliveryPosition | null): DeliveryRowFilter[] {
  const newest = [
    query.until_id,
    firstIdOf(new Date()),
    ...(after === null ? [] : [after.event_id]),
  ].sort()[0];
  const begins_at = timeOfId(newest ?? query.until_id).getTime();
  const from_id = firstIdOf(new Date(Math.max(0, begins_at - FIRST_DAYS * DAY_MILLISECONDS)));
  const whole = withAttempts(query);
  return from_id > query.from_id ? [withAttempts({ ...query, from_id }), whole] : [whole];
}

/** No event is attempted before it occurs, or after the present. */
function withAttempts(query: DeliveryFilter): DeliveryRowFilter {
  const until = Date.now() + CLOCK_SKEW_MILLISECONDS;
  const from = Math.min(Math.max(0, timeOfId(query.from_id).getTime() - CLOCK_SKEW_MILLISECONDS), until);
  return { ...query, attempted: { from: new Date(from), until: new Date(until) } };
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
  const all = await listEventRows(database, organization.id, event_id);
  const rows = all.filter(({ event_type }) => isEventType(event_type));
  if (rows.length === 0) throw notFound("event");
  return rows.map(viewDelivery);
}
