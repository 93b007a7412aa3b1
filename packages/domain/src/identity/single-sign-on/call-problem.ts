import { DnsError } from "../../webhooks/endpoints/dns-resolver.ts";
import { BlockedAddressError } from "../../webhooks/endpoints/public-addresses.ts";
import { TIMEOUT_SECONDS } from "./provider-fetch.ts";

/** Codes of Node and OpenSSL for a certificate that is not valid, or a server that does not speak TLS. */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|HOSTNAME_MISMATCH$)/;
const TIMEOUT_CODE = /^(?:ETIMEDOUT|OAUTH_TIMEOUT|UND_ERR_[A-Z_]*TIMEOUT)$/;
const MAX_CAUSES = 5;

/** An error and the errors that caused it. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < MAX_CAUSES; at = at.cause) causes.push(at);
  return causes;
}

export function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

/** Whether a call failed because of the provider's TLS certificate. */
export function isTlsProblem(error: unknown): boolean {
  return causesOf(error).some((cause) => TLS_CODE.test(codeOf(cause)));
}

/** The problem of a call to a provider, for the owner who enters its address; null: the library's own words are all there is. */
export function callProblem(error: unknown): string | null {
  for (const cause of causesOf(error).toReversed()) {
    const problem = problemOf(cause, codeOf(cause));
    if (problem !== null) return problem;
  }
  return null;
}

function problemOf(error: Error, code: string): string | null {
  if (error instanceof BlockedAddressError) {
    return "Its name leads to an address of a private network, which this service does not call. Its operator can allow that.";
  }
  if (error instanceof DnsError) return "Its name was not found. Check the spelling.";
  if (code === "CERT_HAS_EXPIRED") return "The provider's TLS certificate has expired.";
  if (TLS_CODE.test(code)) return `The provider's TLS certificate is not valid (${code}).`;
  if (TIMEOUT_CODE.test(code)) return `The provider did not answer within ${TIMEOUT_SECONDS} seconds.`;
  switch (code) {
    case "ECONNREFUSED":
    case "ECONNRESET":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `The provider accepts no connection (${code}).`;
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED":
      return "The provider calls itself by another issuer. Copy the issuer from its own description.";
    case "OAUTH_RESPONSE_IS_NOT_CONFORM":
      return "The provider does not describe itself there, at /.well-known/openid-configuration below this address.";
    default:
      return null;
  }
}
