import type { Page } from "@findersfee/contract/pages";
import { eventTypes, isEventType, type ListEvents } from "@findersfee/contract/webhooks/events";
import type { Connection } from "@findersfee/database/postgres/connect";
import {
  type EventFilter,
  type EventPosition,
  findEventPosition,
  listEvents as listRows,
} from "@findersfee/database/webhooks/events";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { firstIdOf } from "../../ids.ts";
import { idOf, pageOf } from "../../pages.ts";
import { EVENTS_RETENTION_DAYS, oldestRetainedAt } from "./retention.ts";
import { type Event, viewEvent } from "./view.ts";

/**
 * The events feed: the events of the last 90 days, without gaps or duplicates, the oldest or the newest first.
 *
 * During an upgrade, the next version may already record types that this one cannot show. Oldest first, the feed ends before such an
 * event, so that a reader gets it from the next version.
 */
export async function listEvents(
  { database, organization }: Context,
  query: ListEvents,
): Promise<Page<Event>> {
  const after = await positionOf(database, organization.id, query);
  const newest_first = query.order === "newest_first";
  const read = (types: string[] | null) =>
    listRows(database, organization.id, {
      after,
      types,
      ...begin(query),
      newest_first,
      limit: query.limit + 1,
    });
  let rows = await read(query.types ?? null);
  const unknown = rows.findIndex(({ type }) => !isEventType(type));
  if (unknown !== -1) rows = newest_first ? await read([...eventTypes]) : rows.slice(0, unknown);
  return pageOf(rows, { limit: query.limit, view: viewEvent, cursorOf: idOf });
}

/** The position after which to continue; null: the beginning. */
async function positionOf(
  database: Connection,
  organizationId: string,
  { after, cursor }: ListEvents,
): Promise<EventPosition | null> {
  const id = after ?? cursor;
  if (id === undefined || id === "") return null;
  const position = await findEventPosition(database, organizationId, id);
  if (position === null) {
    throw new DomainError("not_found", {
      message: `There is no event with this id; events are available for ${EVENTS_RETENTION_DAYS} days.`,
    });
  }
  return position;
}

/** The start of the requested range, limited by the retention. */
function begin({ created_after }: ListEvents): Pick<EventFilter, "not_before" | "from_id"> {
  const not_before = oldestRetainedAt();
  const wanted = created_after === undefined ? null : new Date(created_after);
  return wanted === null || wanted <= not_before
    ? { not_before }
    : { not_before: wanted, from_id: firstIdOf(wanted) };
}
