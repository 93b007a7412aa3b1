import type { eventBodySchemas, eventSchema } from "@findersfee/contract/webhooks/events";
import type { EventRow } from "@findersfee/database/webhooks/events";
import type { z } from "zod";

export type Event = z.infer<typeof eventSchema>;

type EventBody = z.infer<(typeof eventBodySchemas)[keyof typeof eventBodySchemas]>;

/** An event as the feed shows it. */
export function viewEvent(row: EventRow): Event {
  // The keys of the serialized body keep their order, so this is identical to the sent body.
  const body = JSON.parse(row.body) as EventBody;
  return { id: row.id, created_at: row.created_at.toISOString(), ...body };
}
