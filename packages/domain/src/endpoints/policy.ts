import { invalidField } from "../errors.ts";
import { type EndpointUrlRelaxations, endpointUrlProblem } from "../webhooks/endpoint-url.ts";
import type { SecretsKey } from "../webhooks/secrets.ts";

/** What an operator has set up: the key that secrets are encrypted under, and which URLs are allowed. */
export interface EndpointPolicy extends EndpointUrlRelaxations {
  secrets_key: SecretsKey;
}

/** Throws `invalid_request` with the problem of an endpoint's URL, if it has one. */
export function requireEndpointUrl(url: string, policy: EndpointPolicy): void {
  const problem = endpointUrlProblem(url, policy);
  if (problem !== null) throw invalidField("url", problem);
}
