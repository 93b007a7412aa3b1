import type { EventType, eventSchema, ListEvents } from "@findersfee/contract/events";
import type { Page } from "@findersfee/contract/pages";
import { type EventRow, findEventPosition, listEvents as listRows } from "@findersfee/database/events";
import type { z } from "zod";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { pageOf } from "../pages.ts";

export const EVENTS_KEPT_DAYS = 90;

type Event = z.infer<typeof eventSchema>;

/** The feed: what was sent in the last 90 days, oldest first, none skipped and none twice. */
export async function listEvents(
  { database, organization }: Context,
  query: ListEvents,
): Promise<Page<Event>> {
  const after =
    query.after === undefined ? null : await findEventPosition(database, organization.id, query.after);
  if (query.after !== undefined && after === null) {
    throw new DomainError("not_found", {
      message: `There is no event with the id in \`after\`; events are kept for ${EVENTS_KEPT_DAYS} days.`,
    });
  }
  const rows = await listRows(database, organization.id, {
    after,
    types: query.types?.split(",") ?? null,
    not_before: new Date(Date.now() - EVENTS_KEPT_DAYS * 24 * 60 * 60 * 1000),
    limit: query.limit + 1,
  });
  return pageOf(rows, {
    limit: query.limit,
    view: viewEvent,
    numbers: { page: null, total_count: null, total_pages: null },
  });
}

function viewEvent(row: EventRow): Event {
  // The body was frozen by `freezeEvent`; its keys keep their order, so it is again what was sent.
  const { data } = JSON.parse(row.body) as Pick<Event, "data">;
  return { id: row.id, type: row.type as EventType, created_at: row.created_at.toISOString(), data };
}
