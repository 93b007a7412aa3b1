import type { CustomFetch } from "openid-client";
import { Agent, fetch } from "undici";
import { createDnsResolver } from "../../webhooks/endpoints/dns-resolver.ts";
import { createLookup, resolvePublic } from "../../webhooks/endpoints/public-addresses.ts";
import { type EndpointUrlRelaxations, endpointUrlProblem } from "../../webhooks/endpoints/url.ts";

/** Of each call: a name, a connection, headers and a body together. */
export const TIMEOUT_SECONDS = 5;
const TIMEOUT_MILLISECONDS = TIMEOUT_SECONDS * 1000;
/** Documents with many keys have some 30 KB. */
const MAX_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 16;

/** A call to a provider that was not made, or has no usable response. */
export class ProviderCallError extends Error {
  override readonly name = "ProviderCallError";
}

/**
 * Creates the function for calls to providers, with the guard of deliveries: their addresses come from people, and their documents
 * name further ones. No redirect is followed, no response is larger than 256 KiB, and none is compressed, since a small one could
 * become large.
 */
export function createProviderFetch(relaxations: EndpointUrlRelaxations): CustomFetch {
  const { allow_private } = relaxations;
  const resolve = createDnsResolver({
    local_names: allow_private,
    timeout_milliseconds: TIMEOUT_MILLISECONDS,
  });
  const dispatcher = new Agent({
    connect: {
      timeout: TIMEOUT_MILLISECONDS,
      lookup: createLookup(allow_private ? resolve : resolvePublic(resolve)),
    },
    connections: MAX_CONNECTIONS,
    headersTimeout: TIMEOUT_MILLISECONDS,
    bodyTimeout: TIMEOUT_MILLISECONDS,
    maxResponseSize: MAX_BYTES,
  });
  return async (url, { method, headers, body, signal }) => {
    const problem = endpointUrlProblem(url, relaxations);
    if (problem !== null) throw new ProviderCallError(`${url}: ${problem}`);
    const response = await fetch(url, {
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      redirect: "manual",
      dispatcher,
      ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.headers.has("content-encoding")) {
      throw new ProviderCallError(`${url}: The response is compressed.`);
    }
    const text = await response.text();
    const { status } = response;
    return new Response(status === 204 || status === 304 ? null : text, {
      status,
      headers: [...response.headers],
    });
  };
}
