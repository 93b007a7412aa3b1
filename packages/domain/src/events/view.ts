import type { EventType, eventSchema } from "@findersfee/contract/events";
import type { EventRow } from "@findersfee/database/events";
import type { z } from "zod";

export type Event = z.infer<typeof eventSchema>;

/** An event as the feed shows it. */
export function viewEvent(row: EventRow): Event {
  // The body was frozen by `freezeEvent`; its keys keep their order, so it is again what was sent.
  const { data } = JSON.parse(row.body) as Pick<Event, "data">;
  return { id: row.id, type: row.type as EventType, created_at: row.created_at.toISOString(), data };
}
