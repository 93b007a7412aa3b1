import type { Connection } from "@findersfee/database/postgres/connect";
import { insertEvent, type NewEvent } from "@findersfee/database/webhooks/events";

/** Writes an event and its deliveries, in the transaction of the reported change. `serializeEvent` makes it. */
export async function recordEvent(sql: Connection, organizationId: string, event: NewEvent): Promise<void> {
  await insertEvent(sql, organizationId, event);
}
