import { type EventType, eventTypes } from "@findersfee/contract/events";
import type { Database } from "@findersfee/database/connect";
import { insertEndpoint } from "@findersfee/database/endpoints";
import { findOrganization } from "@findersfee/database/organizations";
import { invalidField, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { type EndpointUrlRelaxations, endpointUrlProblem } from "./endpoint-url.ts";
import { newSigningSecret, type SecretsKey, sealSecret } from "./secrets.ts";

export interface NewEndpointInput {
  organization_id: string;
  url: string;
  /** Null: every type, those of later versions too. */
  event_types: string[] | null;
  description: string;
}

/** What an operator has set up: the key that secrets are encrypted under, and which URLs are allowed. */
export interface EndpointPolicy extends EndpointUrlRelaxations {
  secrets_key: SecretsKey;
}

export interface CreatedEndpoint {
  endpoint_id: string;
  /** `whsec_…`: the receiver verifies deliveries with it. */
  secret: string;
}

/**
 * Makes a webhook endpoint of an organization, enabled from now on.
 *
 * @throws DomainError `not_found` for an unknown organization; `invalid_request` for its URL or event types
 */
export async function createEndpoint(
  database: Database,
  policy: EndpointPolicy,
  input: NewEndpointInput,
): Promise<CreatedEndpoint> {
  const { organization_id, url, description } = input;
  const problem = endpointUrlProblem(url, policy);
  if (problem !== null) throw invalidField("url", problem);
  const event_types = input.event_types === null ? null : input.event_types.map(eventType);
  if (event_types?.length === 0) throw invalidField("event_types", "Must name at least one event type.");
  if ((await findOrganization(database, organization_id)) === null) throw notFound("organization");

  const created_at = new Date();
  const endpoint_id = newId(created_at);
  const secret = newSigningSecret();
  await insertEndpoint(database, organization_id, {
    id: endpoint_id,
    url,
    event_types: event_types === null ? null : [...new Set(event_types)],
    description,
    secret_encrypted: sealSecret(policy.secrets_key, { organization_id, endpoint_id }, secret),
    enabled: true,
    created_at,
  });
  return { endpoint_id, secret };
}

function eventType(name: string): EventType {
  const type = eventTypes.find((known) => known === name);
  if (type !== undefined) return type;
  throw invalidField("event_types", `There is no event type ${name}; there are ${eventTypes.join(", ")}.`);
}
