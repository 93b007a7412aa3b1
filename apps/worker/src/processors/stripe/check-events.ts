import { insertNotices } from "@findersfee/database/mails/notices";
import { transaction } from "@findersfee/database/postgres/connect";
import {
  type EventsCheck,
  findProcessor,
  type ProcessorRow,
  writeEventsCheck,
} from "@findersfee/database/processors/processors";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { missingEvents } from "@findersfee/domain/processors/stripe/webhook-endpoints";
import type { Stripe } from "stripe";
import { z } from "zod";
import { type EndpointDependencies, type StripeDependencies, stripeClient, stripeFailure } from "./client.ts";
import { eachStripeAccount } from "./each-account.ts";
import { listEndpoints } from "./endpoints.ts";
import { syncEndpoint } from "./sync-endpoint.ts";

const payloadSchema = z.object({ organization_id: z.uuid() });

/**
 * Compares the webhook endpoint of the organization that a job names; creates, repairs or deletes one that the service
 * is to create. Throws if Stripe did not answer: the queue tries again.
 */
export async function checkEventsOf(dependencies: EndpointDependencies, payload: unknown): Promise<void> {
  const { organization_id } = payloadSchema.parse(payload);
  const row = await findProcessor(dependencies.database, organization_id, "stripe");
  if (row === null) return;
  if (row.endpoint_state === null) await checkEvents(dependencies, row);
  else if (await syncEndpoint(dependencies, organization_id)) {
    throw new Error("Stripe did not answer, or could not do it now");
  }
}

/** Compares the webhook endpoints of all organizations with an API key of Stripe. */
export async function checkAllEvents(dependencies: EndpointDependencies, signal: AbortSignal): Promise<void> {
  await eachStripeAccount(dependencies.database, signal, async (row) => {
    if (row.endpoint_state === null) await checkEvents(dependencies, row);
    else await syncEndpoint(dependencies, row.organization_id);
  });
}

/**
 * Compares the webhook endpoint of a connection with the required event types, and stores the missing ones, or why they
 * are not known: also when the key may not read webhook endpoints.
 */
export async function checkEvents(
  { database, log, secrets_key, stripe_api_url }: StripeDependencies,
  row: ProcessorRow,
): Promise<EventsCheck> {
  const { organization_id } = row;
  const api_key = openApiKey(secrets_key, row);
  const result =
    api_key === null
      ? { error: "The connection has no API key." }
      : await compare(await stripeClient(api_key, { api_url: stripe_api_url }), organization_id);
  const missing_events = "missing_events" in result ? result.missing_events : null;
  const check: EventsCheck = {
    events_checked_at: new Date(),
    missing_events,
    events_check_error: "error" in result ? result.error : null,
  };
  if (missing_events !== null && missing_events.length > 0) {
    log.warn({ organization_id, missing_events }, "Stripe does not send all required event types");
  }
  await transaction(database, async (sql) => {
    const is_worse = await writeEventsCheck(sql, organization_id, { name: "stripe", check });
    if (is_worse) await insertNotices(sql, organization_id, "connections");
  });
  return check;
}

async function compare(stripe: Stripe, organization_id: string): Promise<ReturnType<typeof missingEvents>> {
  try {
    return missingEvents(await listEndpoints(stripe), `/processors/stripe/${organization_id}`);
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure === null) throw error;
    const is_forbidden = failure.kind === "refused" && failure.status === 403;
    return {
      error: is_forbidden
        ? `The API key may not read webhook endpoints: give it the permission to read Webhook Endpoints. (${failure.message})`
        : `Stripe's webhook endpoints could not be read: ${failure.message}`,
    };
  }
}
