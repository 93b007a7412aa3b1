import type { SingleSignOnFailure } from "@findersfee/contract/identity/single-sign-on-failures";
import type { SignInProviderRow } from "@findersfee/database/identity/sign-in-providers";
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { openSecret, type SecretsKey } from "../../secrets/secrets.ts";
import type { EndpointUrlRelaxations } from "../../webhooks/endpoints/url.ts";
import { causesOf, codeOf, isTlsProblem } from "./call-problem.ts";
import { SingleSignOnError } from "./failure.ts";
import type { Flow } from "./flow.ts";
import { ProviderCallError, TIMEOUT_SECONDS } from "./provider-fetch.ts";

/** How the process calls providers. */
export interface ProviderCalls {
  fetch: CustomFetch;
  /** The operator's exceptions for addresses of providers. */
  relaxations: EndpointUrlRelaxations;
  secrets_key: SecretsKey;
}

/** A provider's claims about a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Reads a provider's own description, and checks its issuer. */
export async function discover(
  { fetch, relaxations, secrets_key }: ProviderCalls,
  { organization_id, issuer, client_id, client_secret_encrypted }: SignInProviderRow,
): Promise<Configuration> {
  const owner = { organization_id, purpose: "sign_in_provider" as const };
  const secret = openSecret(secrets_key, owner, client_secret_encrypted);
  return await discovery(new URL(issuer), client_id, secret, undefined, {
    [customFetch]: fetch,
    timeout: TIMEOUT_SECONDS,
    // The signature is checked although the token comes from the provider itself, since the operator may allow http.
    execute: [enableNonRepudiationChecks, ...(relaxations.allow_http ? [allowInsecureRequests] : [])],
  });
}

/**
 * Exchanges the code in the callback's address for claims: those of the ID token, after it checks the issuer,
 * audience, nonce, expiry and signature, and those of the user info.
 */
export async function exchange(
  configuration: Configuration,
  callback: URL,
  { state, nonce, code_verifier }: Flow,
): Promise<Claims> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: code_verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error("the token endpoint sent no ID token");
  // Many providers put the email and groups only there.
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
}

/** The failure that an error of a provider's call is. Its text names codes and addresses, and no token. */
export function failureOf(error: unknown, organization_id: string): SingleSignOnError {
  if (error instanceof SingleSignOnError) return error;
  return new SingleSignOnError(reasonOf(error), { organization_id, facts: factsOf(error) });
}

const DENIALS = new Set(["access_denied", "login_required", "interaction_required", "consent_required"]);

function reasonOf(error: unknown): SingleSignOnFailure {
  if (error instanceof AuthorizationResponseError) return DENIALS.has(error.error) ? "denied" : "refused";
  if (error instanceof WWWAuthenticateChallengeError) return "refused";
  if (isTlsProblem(error)) return "certificate";
  // RFC 6749, 5.2: the code was used, has expired, or belongs to another sign-in.
  if (error instanceof ResponseBodyError) return error.error === "invalid_grant" ? "expired" : "refused";
  if (
    !(error instanceof ClientError) ||
    causesOf(error).some((cause) => cause instanceof ProviderCallError)
  ) {
    return "unreachable";
  }
  const is_call = error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_RESPONSE_IS_NOT_CONFORM";
  return is_call ? "unreachable" : "invalid_answer";
}

/** Codes and short messages of an error and its causes, without texts from the provider. */
function factsOf(error: unknown): string {
  const facts = causesOf(error).map((cause) => {
    const code = codeOf(cause) === "" ? "" : ` ${codeOf(cause)}`;
    const named = "error" in cause ? ` ${String(cause.error)}` : "";
    return `${cause.name}${code}${named}: ${cause.message}`.slice(0, MAX_FACT_LENGTH);
  });
  return facts.join("; ");
}

const MAX_FACT_LENGTH = 300;
