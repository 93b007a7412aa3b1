import type { FastifyInstance } from "fastify";

const YEAR_SECONDS = 31_536_000;

/**
 * The headers of every response. Browsers read no response as another type than its own, and with a public address on https they ask
 * for its host and those of organizations by https alone. Other names below these hosts are not the service's to decide about.
 */
export function securityHeaders(public_url: string | null): Record<string, string> {
  const is_https = public_url?.startsWith("https:") === true;
  return {
    "x-content-type-options": "nosniff",
    ...(is_https ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/** Adds them to every response, also of errors. Call it before other hooks are added. */
export function sendSecurityHeaders(app: FastifyInstance, public_url: string | null): void {
  const headers = securityHeaders(public_url);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
