import type { EventData, EventType } from "@findersfee/contract/webhooks/events";
import type { Connection } from "@findersfee/database/postgres/connect";
import { insertEvent, type NewEvent } from "@findersfee/database/webhooks/events";
import { newId } from "../../ids.ts";

/** Serializes an event. Every endpoint and every attempt gets these bytes as the body. */
export function serializeEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  at: Date,
): NewEvent {
  return { id: newId(at), type, body: JSON.stringify({ type, data }), created_at: at };
}

/** Writes an event and its deliveries, in the transaction of the reported change. */
export async function recordEvent(sql: Connection, organizationId: string, event: NewEvent): Promise<void> {
  await insertEvent(sql, organizationId, event);
}
