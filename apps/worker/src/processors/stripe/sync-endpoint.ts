import { randomUUID } from "node:crypto";
import { ENDPOINT_RIGHT, nameOfRight } from "@findersfee/contract/processors/stripe-rights";
import {
  type EndpointState,
  findProcessor,
  type ProcessorRow,
} from "@findersfee/database/processors/processors";
import {
  deleteDisconnected,
  replaceEndpointRequest,
  storeEndpoint,
  writeEndpointResult,
  writeEndpointUrl,
  writeMissingRights,
} from "@findersfee/database/processors/stripe-endpoints";
import { openApiKey, sealSigningSecret } from "@findersfee/domain/processors/connections/secrets";
import { endpointAddress } from "@findersfee/domain/processors/stripe/endpoint-address";
import { missingEvents } from "@findersfee/domain/processors/stripe/webhook-endpoints";
import type { Stripe } from "stripe";
import { missingRights } from "./check-rights.ts";
import { type EndpointDependencies, stripeClient, stripeFailure } from "./client.ts";
import { createEndpoint, deleteEndpoint, isOwn, listEndpoints, mendEndpoint } from "./endpoints.ts";

/** The outcome for an endpoint, and whether trying again soon may help. */
interface Outcome {
  state: EndpointState;
  error: string | null;
  missing_events: string[] | null;
  again: boolean;
}

/** The endpoint of one connection, during one attempt. */
interface Work {
  dependencies: EndpointDependencies;
  row: ProcessorRow & { endpoint_state: EndpointState };
  stripe: Stripe;
}

/**
 * Brings the endpoint that the service created at Stripe to the state that the connection asks for: creates
 * or repairs it, deletes it, or checks it. Stores the result, and returns whether trying again soon may help.
 * It may end after any of its calls: the next attempt finds its changes.
 */
export async function syncEndpoint(
  dependencies: EndpointDependencies,
  organization_id: string,
): Promise<boolean> {
  const { database, log } = dependencies;
  const row = await findProcessor(database, organization_id, "stripe");
  if (row === null || row.endpoint_state === null) return false;
  const { endpoint_state: from } = row;
  const outcome = await attempt(dependencies, { ...row, endpoint_state: from });
  if (outcome === null) return false;
  const { again, ...result } = outcome;
  const { api_key_encrypted } = row;
  await writeEndpointResult(database, organization_id, { from, api_key_encrypted, ...result });
  if (result.state !== "active") {
    log.warn({ organization_id, ...result }, "the webhook endpoint at Stripe is not as it should be");
  }
  return again;
}

/** Null: the outcome is stored already. */
async function attempt(dependencies: EndpointDependencies, row: Work["row"]): Promise<Outcome | null> {
  const is_deleting = row.endpoint_state === "deleting" || row.endpoint_state === "undeletable";
  const is_creating = row.endpoint_state === "creating" || row.endpoint_state === "failed";
  const rejected = is_deleting ? "undeletable" : is_creating ? "failed" : row.endpoint_state;
  const api_key = openApiKey(dependencies.secrets_key, row);
  if (api_key === null) return ended(rejected, "The connection has no API key.");
  const stripe = await stripeClient(api_key, { api_url: dependencies.stripe_api_url });
  const work = { dependencies, row, stripe };
  try {
    if (is_deleting) return await remove(work);
    return is_creating ? await create(work) : await check(work);
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure === null) throw error;
    if (failure.kind === "refused") return ended(rejected, explain(failure));
    // Still to do, and tried again.
    const state = is_creating ? "creating" : is_deleting ? "deleting" : row.endpoint_state;
    const error_text = `Stripe did not do it, and is asked again: ${failure.message}`;
    return { ...ended(state, error_text), again: is_creating || is_deleting };
  }
}

function explain({ status, message }: { status: number; message: string }): string {
  if (status === 401) return `Stripe does not accept the API key: replace it. (${message})`;
  if (status !== 403) return `Stripe rejected it: ${message}`;
  return `The API key lacks ${nameOfRight(ENDPOINT_RIGHT)}. (${message})`;
}

function ended(state: EndpointState, error: string | null, missing_events: string[] | null = null): Outcome {
  return { state, error, missing_events, again: false };
}

/** Creates the endpoint, or gives the stored one all that it lacks. */
async function create(work: Work): Promise<Outcome | null> {
  const { dependencies, row, stripe } = work;
  const { organization_id } = row;
  const address = endpointAddress(dependencies.publicUrl(), organization_id);
  if ("problem" in address) return ended("failed", address.problem);
  const lacks = await storeMissingRights(work);
  if (lacks.includes(ENDPOINT_RIGHT)) {
    return ended(
      "failed",
      `The API key lacks ${nameOfRight(ENDPOINT_RIGHT)}: give it that permission at Stripe.`,
    );
  }
  const endpoints = await listEndpoints(stripe);
  const stored = endpoints.find(({ id }) => id === row.endpoint_id);
  const { orphans, foreign } = othersAt(work, { endpoints, url: address.url });
  if (foreign !== undefined) {
    return ended(
      "failed",
      `Stripe has another endpoint with this address, ${foreign.id}, and only Stripe knows its secret. Delete it at Stripe, under Developers, Webhooks, then try again.`,
    );
  }
  if (stored === undefined) return await replace(work, { url: address.url, orphans });
  for (const { id } of orphans) await deleteEndpoint(stripe, id);
  await mendEndpoint(stripe, stored, address.url);
  await writeEndpointUrl(dependencies.database, organization_id, {
    endpoint_id: stored.id,
    url: address.url,
  });
  return ended("active", null, []);
}

/**
 * The other endpoints at the address: those that the service created without knowing their secrets any more,
 * and an enabled one of a person. Copies of this database at other addresses have endpoints of their own.
 */
function othersAt(
  { row }: Work,
  { endpoints, url }: { endpoints: Stripe.WebhookEndpoint[]; url: string },
): { orphans: Stripe.WebhookEndpoint[]; foreign: Stripe.WebhookEndpoint | undefined } {
  const others = endpoints.filter(({ id }) => id !== row.endpoint_id);
  const at = others.filter((endpoint) => endpoint.url === url || endpoint.url === row.endpoint_url);
  return {
    orphans: at.filter((endpoint) => isOwn(endpoint, row.organization_id)),
    foreign: at.find(
      (endpoint) =>
        endpoint.url === url && endpoint.status === "enabled" && !isOwn(endpoint, row.organization_id),
    ),
  };
}

/** Creates an endpoint and stores it with its secret, after deleting the endpoints with lost secrets. */
async function replace(
  { dependencies, row, stripe }: Work,
  { url, orphans }: { url: string; orphans: Stripe.WebhookEndpoint[] },
): Promise<Outcome | null> {
  const { database, secrets_key } = dependencies;
  const { organization_id, endpoint_request_id: from, api_key_encrypted } = row;
  // The former request's answer would be an orphan's, or one with another address.
  const is_same = from !== null && orphans.length === 0 && row.endpoint_url === url;
  const request_id = is_same ? from : randomUUID();
  const owns = await replaceEndpointRequest(database, organization_id, {
    api_key_encrypted,
    from,
    to: request_id,
    url,
  });
  if (!owns) return { ...ended("creating", "It is being created by another process."), again: true };
  for (const { id } of orphans) await deleteEndpoint(stripe, id);
  const created = await createOnce(database, {
    stripe,
    organization_id,
    api_key_encrypted,
    url,
    request_id,
  });
  if (created.secret === undefined) throw new Error(`Stripe's endpoint ${created.id} came without a secret`);
  const stored = await storeEndpoint(database, organization_id, {
    request_id,
    id: created.id,
    url,
    secret_encrypted: sealSigningSecret(secrets_key, { organization_id, name: "stripe" }, created.secret),
  });
  if (!stored) await deleteUnlessStored(database, { stripe, organization_id, id: created.id });
  return null;
}

async function createOnce(
  database: EndpointDependencies["database"],
  {
    stripe,
    api_key_encrypted,
    ...endpoint
  }: Pick<ProcessorRow, "organization_id" | "api_key_encrypted"> & {
    stripe: Stripe;
    url: string;
    request_id: string;
  },
): Promise<Stripe.WebhookEndpoint> {
  try {
    return await createEndpoint(stripe, endpoint);
  } catch (error) {
    const failure = stripeFailure(error);
    // Stripe repeats its answer to a key. After a call without an answer, the same key returns the request's
    // outcome.
    if (failure !== null && failure.kind !== "unanswered" && failure.kind !== "in_progress") {
      const { organization_id, url, request_id } = endpoint;
      await replaceEndpointRequest(database, organization_id, {
        api_key_encrypted,
        from: request_id,
        to: null,
        url,
      });
    }
    throw error;
  }
}

/**
 * Deletes a superfluous endpoint: another process has stored one, or a person has disconnected in the
 * meantime.
 */
async function deleteUnlessStored(
  database: EndpointDependencies["database"],
  { stripe, organization_id, id }: { stripe: Stripe; organization_id: string; id: string },
): Promise<void> {
  const row = await findProcessor(database, organization_id, "stripe");
  if (row?.endpoint_id !== id) await deleteEndpoint(stripe, id);
}

/** Compares the stored endpoint with the wanted one. */
async function check(work: Work): Promise<Outcome> {
  const { dependencies, row, stripe } = work;
  await storeMissingRights(work);
  const address = endpointAddress(dependencies.publicUrl(), row.organization_id);
  const endpoints = await listEndpoints(stripe);
  const stored = endpoints.find(({ id }) => id === row.endpoint_id);
  if (stored === undefined) return ended("deleted", null);
  for (const { id } of othersAt(work, { endpoints, url: stored.url }).orphans) {
    await deleteEndpoint(stripe, id);
  }
  if (stored.status !== "enabled") return ended("disabled", null);
  if ("url" in address && stored.url !== address.url) {
    return ended("moved", `It sends to ${stored.url} instead of ${address.url}.`);
  }
  const result = missingEvents([stored], new URL(stored.url).pathname);
  if ("error" in result) return ended("disabled", result.error);
  const { missing_events } = result;
  return ended(missing_events.length === 0 ? "active" : "events_missing", null, missing_events);
}

/** Deletes the endpoint at Stripe, and then the connection. */
async function remove({ dependencies, row, stripe }: Work): Promise<null> {
  const endpoints = await listEndpoints(stripe);
  const own = endpoints.filter(
    (endpoint) =>
      endpoint.id === row.endpoint_id ||
      (endpoint.url === row.endpoint_url && isOwn(endpoint, row.organization_id)),
  );
  for (const { id } of own) await deleteEndpoint(stripe, id);
  await deleteDisconnected(dependencies.database, row);
  return null;
}

async function storeMissingRights({ dependencies, row, stripe }: Work): Promise<string[]> {
  const missing_rights = await missingRights(stripe);
  const { organization_id, api_key_encrypted } = row;
  if (api_key_encrypted !== null) {
    await writeMissingRights(dependencies.database, organization_id, { api_key_encrypted, missing_rights });
  }
  return missing_rights;
}
