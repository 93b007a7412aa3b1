import type { eventBodySchemas, eventSchema } from "@findersfee/contract/events";
import type { EventRow } from "@findersfee/database/events";
import type { z } from "zod";

export type Event = z.infer<typeof eventSchema>;

type EventBody = z.infer<(typeof eventBodySchemas)[keyof typeof eventBodySchemas]>;

/** An event as the feed shows it. */
export function viewEvent(row: EventRow): Event {
  // The body was frozen by `freezeEvent`; its keys keep their order, so it is again what was sent.
  const body = JSON.parse(row.body) as EventBody;
  return { id: row.id, created_at: row.created_at.toISOString(), ...body };
}
