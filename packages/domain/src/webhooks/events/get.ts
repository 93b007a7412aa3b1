import { isEventType } from "@findersfee/contract/webhooks/events";
import { findEvent } from "@findersfee/database/webhooks/events";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { EVENTS_RETENTION_DAYS, oldestRetainedAt } from "./retention.ts";
import { type Event, viewEvent } from "./view.ts";

/**
 * One event of the last 90 days, readable from its commit on, so that a receiver of its delivery can read it at once.
 * Errors: `not_found`.
 */
export async function getEvent({ database, organization }: Context, id: string): Promise<Event> {
  const row = await findEvent(database, organization.id, { id, not_before: oldestRetainedAt() });
  if (row === null || !isEventType(row.type)) {
    throw new DomainError("not_found", {
      message: `There is no event with this id; events are available for ${EVENTS_RETENTION_DAYS} days.`,
    });
  }
  return viewEvent(row);
}
