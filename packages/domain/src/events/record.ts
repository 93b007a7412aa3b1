import type { EventData, EventType } from "@findersfee/contract/events";
import type { Connection } from "@findersfee/database/connect";
import { insertEvent, type NewEvent } from "@findersfee/database/events";
import { newId } from "../ids.ts";

/** Freezes an event: from here on its body is these bytes, for every endpoint and every attempt. */
export function freezeEvent<Type extends EventType>(type: Type, data: EventData<Type>, at: Date): NewEvent {
  return { id: newId(at), type, body: JSON.stringify({ type, data }), created_at: at };
}

/** Writes an event and its deliveries, in the transaction of the change that it tells of. */
export async function recordEvent(sql: Connection, organizationId: string, event: NewEvent): Promise<void> {
  await insertEvent(sql, organizationId, event);
}
