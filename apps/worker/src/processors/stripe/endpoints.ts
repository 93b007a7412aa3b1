import { required_event_types } from "@findersfee/contract/processors/stripe-events";
import type { Stripe } from "stripe";
import { stripeFailure } from "./client.ts";

const PAGE = 100;
/** Stripe allows 16 endpoints; platforms may have some more. */
const MAX_PAGES = 5;
/** The format of the events; tests read events in it. */
const API_VERSION = "2026-10-28.endive";

/** The webhook endpoints of an account. */
export async function listEndpoints(stripe: Stripe): Promise<Stripe.WebhookEndpoint[]> {
  const endpoints: Stripe.WebhookEndpoint[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const last = endpoints.at(-1);
    const { data, has_more } = await stripe.webhookEndpoints.list({
      limit: PAGE,
      ...(last === undefined ? {} : { starting_after: last.id }),
    });
    endpoints.push(...data);
    if (!has_more || data.length === 0) break;
  }
  return endpoints;
}

/** Whether the service created an endpoint for this organization. */
export function isOwn({ metadata }: Stripe.WebhookEndpoint, organization_id: string): boolean {
  return metadata?.findersfee_organization === organization_id && metadata.findersfee_connection === "stripe";
}

/** Creates the endpoint of an organization; the answer has its secret. The same key creates one, however often. */
export async function createEndpoint(
  stripe: Stripe,
  { organization_id, url, request_id }: { organization_id: string; url: string; request_id: string },
): Promise<Stripe.WebhookEndpoint> {
  return await stripe.webhookEndpoints.create(
    {
      url,
      enabled_events: [...required_event_types] as Stripe.WebhookEndpointCreateParams.EnabledEvent[],
      api_version: API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
      description: "Findersfee: reports sales of affiliates. Managed by Findersfee.",
      metadata: { findersfee_organization: organization_id, findersfee_connection: "stripe" },
    },
    { idempotencyKey: `findersfee-endpoint-${request_id}` },
  );
}

/** Gives an endpoint the address and all required event types, and enables it. Other types stay. */
export async function mendEndpoint(
  stripe: Stripe,
  endpoint: Stripe.WebhookEndpoint,
  url: string,
): Promise<void> {
  const events = endpoint.enabled_events.includes("*")
    ? ["*"]
    : [...new Set([...endpoint.enabled_events, ...required_event_types])];
  await stripe.webhookEndpoints.update(endpoint.id, {
    url,
    enabled_events: events as Stripe.WebhookEndpointUpdateParams.EnabledEvent[],
    disabled: false,
  });
}

/** Deletes an endpoint; one that is not there need not be deleted. */
export async function deleteEndpoint(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.webhookEndpoints.del(id);
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure?.kind !== "refused" || failure.status !== 404) throw error;
  }
}
