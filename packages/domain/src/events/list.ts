import type { ListEvents } from "@findersfee/contract/events";
import type { Page } from "@findersfee/contract/pages";
import { type EventFilter, findEventPosition, listEvents as listRows } from "@findersfee/database/events";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import { pageOf } from "../pages.ts";
import { EVENTS_KEPT_DAYS, eventsKeptSince } from "./kept.ts";
import { type Event, viewEvent } from "./view.ts";

/** The feed: what was sent in the last 90 days, none skipped and none twice, the oldest or the newest first. */
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
    ...begin(query),
    newest_first: query.order === "newest_first",
    limit: query.limit + 1,
  });
  return pageOf(rows, {
    limit: query.limit,
    view: viewEvent,
    numbers: { page: null, total_count: null, total_pages: null },
  });
}

/** What is not older than it is kept, nor than was asked for. */
function begin({ created_after }: ListEvents): Pick<EventFilter, "not_before" | "from_id"> {
  const not_before = eventsKeptSince();
  const wanted = created_after === undefined ? null : new Date(created_after);
  return wanted === null || wanted <= not_before
    ? { not_before }
    : { not_before: wanted, from_id: firstIdOf(wanted) };
}
