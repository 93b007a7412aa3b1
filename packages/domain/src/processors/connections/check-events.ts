import type { Processor, ProcessorName } from "@findersfee/contract/processors/processors";
import { addJob } from "@findersfee/database/work/queue";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedProcessor } from "./get.ts";
import { viewProcessor } from "./view.ts";

/** The job that compares an organization's webhook endpoint at Stripe with the required event types. */
export const CHECK_EVENTS = "check_events";

/**
 * Queues a comparison of the connection's webhook endpoint with the required event types; the result appears in the
 * list of connections a moment later. Errors: `not_found`, `invalid_request` for a connection without an API key.
 */
export async function requestEventsCheck(context: Context, name: ProcessorName): Promise<Processor> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedProcessor(sql, organization_id, name);
    if (row.api_key_last_four === null) {
      throw invalidField("name", "The connection has no API key to read the webhook endpoint with.");
    }
    await addEventsCheck(sql, organization_id);
    return viewProcessor(row);
  });
}

/** Adds the job of one organization. */
export async function addEventsCheck(
  sql: Parameters<typeof addJob>[0],
  organization_id: string,
): Promise<void> {
  await addJob(sql, CHECK_EVENTS, {
    payload: { organization_id },
    key: `${CHECK_EVENTS}:${organization_id}`,
    queue: CHECK_EVENTS,
  });
}
