import { invalidField } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { type EndpointUrlRelaxations, endpointUrlProblem } from "./url.ts";

/** The operator's settings for endpoints: the encryption key of secrets, and the allowed URLs. */
export interface EndpointPolicy extends EndpointUrlRelaxations {
  secrets_key: SecretsKey;
}

/** Throws `invalid_request` with the problem of an endpoint's URL, if any. */
export function requireEndpointUrl(url: string, policy: EndpointPolicy): void {
  const problem = endpointUrlProblem(url, policy);
  if (problem !== null) throw invalidField("url", problem);
}
