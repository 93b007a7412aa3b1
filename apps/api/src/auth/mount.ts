import type { Database } from "@findersfee/database/connect";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { FastifyInstance } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import { requireOwnOrigin } from "../admission/own-origin.ts";
import type { ApiConfig } from "../config.ts";
import { acceptJson } from "../json-body.ts";
import { createAttemptLimits } from "./attempt-limits.ts";
import { serveLinks } from "./links.ts";
import { serveSignIn } from "./sign-in.ts";
import { createTlsWarning } from "./tls-warning.ts";

interface Mounting {
  database: Database;
  secrets_key: SecretsKey;
  admission: Admission;
  config: ApiConfig;
}

/**
 * Serves the paths below `/auth`, by which people prove who they are. Anyone may call them, but only from the service's
 * own pages: a page of another site must not sign a person in to an account of its choice.
 */
export function mountAuth(
  app: FastifyInstance,
  { database, secrets_key, admission, config }: Mounting,
): void {
  const { sign_in_limit_per_minute: limit, public_url } = config;
  const { sessions } = admission;
  const slots = admission.createSlots();
  const attempts = createAttemptLimits({ enabled: limit > 0 });
  app.register(async (scope) => {
    if (limit > 0) scope.addHook("onRequest", limitAddresses(limit));
    if (public_url === null) scope.addHook("onRequest", createTlsWarning());
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
    const parts = { database, secrets_key, public_url, sessions, attempts };
    serveSignIn(scope, parts);
    serveLinks(scope, parts);
  });
}
