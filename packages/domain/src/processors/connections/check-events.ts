import type { Processor, ProcessorName } from "@findersfee/contract/processors/processors";
import { addJob } from "@findersfee/database/work/queue";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedProcessor } from "./get.ts";
import { viewProcessor } from "./view.ts";

/**
 * The job of an organization's webhook endpoint at Stripe: compares it with the required event types, or creates or
 * deletes it where the service does that.
 */
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
    await addImmediateCheck(sql, organization_id);
    return viewProcessor(row);
  });
}

/** Adds the job of one organization, unless one waits. */
export async function addEventsCheck(
  sql: Parameters<typeof addJob>[0],
  organization_id: string,
): Promise<void> {
  await addCheck(sql, organization_id, `${CHECK_EVENTS}:${organization_id}`);
}

/** Adds another job of one organization: one that waits may wait for its next attempt, after a failure. */
export async function addImmediateCheck(
  sql: Parameters<typeof addJob>[0],
  organization_id: string,
): Promise<void> {
  await addCheck(sql, organization_id, null);
}

/** An organization's jobs run one after the other: two at once could create two endpoints. */
async function addCheck(
  sql: Parameters<typeof addJob>[0],
  organization_id: string,
  key: string | null,
): Promise<void> {
  const queue = `${CHECK_EVENTS}:${organization_id}`;
  await addJob(sql, CHECK_EVENTS, { payload: { organization_id }, key, queue });
}
