import type { FastifyInstance } from "fastify";
import type { Admission } from "../../admission/admission.ts";
import { limitAddresses } from "../../admission/limit-addresses.ts";
import { requireOwnOrigin } from "../../admission/own-origin.ts";
import type { ApiConfig } from "../../config.ts";
import { acceptJson } from "../../rest/json-body.ts";

/**
 * Serves paths that anyone may call, but only from the service's own pages: a page of another site must not sign a person
 * in to an account of its choice. Bounded per address in calls, bodies and slots.
 */
export function serveOwnPages(
  app: FastifyInstance,
  { config, admission }: { config: ApiConfig; admission: Admission },
  serve: (scope: FastifyInstance) => void,
): void {
  const { sign_in_limit_per_minute: limit, public_url } = config;
  const slots = admission.createSlots();
  app.register(async (scope) => {
    if (limit > 0) scope.addHook("onRequest", limitAddresses(limit));
    if (public_url === null) scope.addHook("onRequest", admission.warnOfTls);
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      requireOwnOrigin(request, public_url);
    });
    acceptJson(scope, ({ value }) => value);
    admission.createBodyBound().watch(scope);
    scope.addHook("preHandler", (request, reply, done) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
      done();
    });
    serve(scope);
  });
}
