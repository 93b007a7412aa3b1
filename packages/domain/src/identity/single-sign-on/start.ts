import { findSignInProviderOfDomain } from "@findersfee/database/identity/sign-in-providers";
import type { Database } from "@findersfee/database/postgres/connect";
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from "openid-client";
import { domainOf } from "./email-domain.ts";
import { SingleSignOnError } from "./failure.ts";
import { newFlow, sealFlow } from "./flow.ts";
import { discover, failureOf, type ProviderCalls } from "./provider.ts";

/** A sign-in that continues at the provider. */
export interface StartedSignIn {
  url: string;
  /** The cookie that binds the sign-in to the browser. */
  cookie: { value: string; expires_at: Date };
}

const SCOPE = "openid email profile";

/**
 * Starts the sign-in of a person at the provider for the domain of the address. It shows which domains have one, and nothing about
 * addresses.
 *
 * @throws SingleSignOnError `no_provider`; `unreachable`
 */
export async function startSingleSignOn(
  database: Database,
  calls: ProviderCalls,
  { email, to, redirect_uri }: { email: string; to: string; redirect_uri: string },
): Promise<StartedSignIn> {
  const provider = await findSignInProviderOfDomain(database, domainOf(email));
  if (provider === null) throw new SingleSignOnError("no_provider");
  const { organization_id, issuer, client_id } = provider;
  const configuration = await discover(calls, provider).catch((error: unknown): never => {
    throw failureOf(error, organization_id);
  });
  const flow = newFlow({ organization_id, issuer, client_id, to });
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri,
    scope: SCOPE,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.code_verifier),
    code_challenge_method: "S256",
    login_hint: email,
  });
  const value = sealFlow(calls.secrets_key, flow);
  return { url: url.href, cookie: { value, expires_at: new Date(flow.expires_at) } };
}
