import type { Page } from "@findersfee/contract/pages";
import type { RowCount } from "@findersfee/contract/row-pages";
import type {
  EventListRow,
  EventWithDeliveries,
  ListEventRows,
  MatchEvents,
} from "@findersfee/contract/webhooks/event-rows";
import { isEventType } from "@findersfee/contract/webhooks/events";
import { listEventDeliveries } from "@findersfee/database/webhooks/deliveries";
import { findEvent } from "@findersfee/database/webhooks/events";
import {
  countEventRows,
  listEventRows as listRows,
  type EventListRow as Row,
} from "@findersfee/database/webhooks/list-event-rows";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { idOf, pageOf } from "../../pages.ts";
import { countRows } from "../../row-counts.ts";
import { eventIdRange } from "../deliveries/filter.ts";
import { viewDelivery } from "../deliveries/view.ts";
import { oldestRetainedAt } from "./retention.ts";
import { viewEvent } from "./view.ts";

/** The dashboard's list of events, newest first, with how their deliveries stand. */
export async function listEventRows(
  { database, organization }: Context,
  {
    limit,
    cursor = null,
    ...filters
  }: Omit<ListEventRows, "cursor"> & { cursor?: string | null | undefined },
): Promise<Page<EventListRow>> {
  const rows = await listRows(database, organization.id, {
    ...eventFilter(filters),
    below: cursor,
    limit: limit + 1,
  });
  const page = pageOf(rows, { limit, view: (row) => row, cursorOf: idOf });
  return { ...page, data: page.data.flatMap(viewEventRow) };
}

/** The number of events on all pages of the list. */
export async function countEvents(context: Context, filters: MatchEvents): Promise<RowCount> {
  return await countRows(context, (sql, limit) =>
    countEventRows(sql, context.organization.id, { ...eventFilter(filters), limit }),
  );
}

/** The filter of a list or an export. */
export function eventFilter({ type, ...range }: MatchEvents) {
  return { ...eventIdRange(range), type, not_before: oldestRetainedAt() };
}

/** An event as the list shows it; none if only the next version knows its type. */
export function viewEventRow(row: Row): EventListRow[] {
  if (!isEventType(row.type)) return [];
  const { id, type, created_at, data } = viewEvent(row);
  const { pending, delivered, exhausted, canceled } = row;
  return [
    {
      id,
      type,
      about_id: data.id,
      about_email: "email" in data ? data.email : data.affiliate.email,
      created_at,
      deliveries: { pending, delivered, exhausted, canceled },
    },
  ];
}

/** One event as it was sent, with its deliveries. Errors: `not_found`. */
export async function getEventWithDeliveries(
  { database, organization }: Context,
  id: string,
): Promise<EventWithDeliveries> {
  const row = await findEvent(database, organization.id, { id, not_before: oldestRetainedAt() });
  if (row === null || !isEventType(row.type)) throw notFound("event");
  const { type, created_at } = viewEvent(row);
  const deliveries = await listEventDeliveries(database, organization.id, id);
  return { id, type, created_at, body: row.body, deliveries: deliveries.map(viewDelivery) };
}
