import type { FastifyRequest } from "fastify";

/**
 * Warns once when a proxy reports https to a service that does not know its public address: its session cookies are then
 * not `Secure`, and mails have no links. Requests are the only sign of a proxy: it can be on the same machine.
 */
export function createTlsWarning(): (request: FastifyRequest) => Promise<void> {
  let is_warned = false;
  return async ({ headers, log }) => {
    const { forwarded = "", "x-forwarded-proto": proto = "" } = headers;
    if (is_warned || (!/^https\b/i.test(String(proto)) && !/\bproto="?https\b/i.test(forwarded))) return;
    is_warned = true;
    log.warn(
      "A proxy serves this service by https, but PUBLIC_URL is not set: session cookies are not marked Secure, and mails cannot have links. Set PUBLIC_URL to the address that people open.",
    );
  };
}
