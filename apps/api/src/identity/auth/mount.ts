import type { Database } from "@findersfee/database/postgres/connect";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance } from "fastify";
import type { Admission } from "../../admission/admission.ts";
import type { ApiConfig } from "../../config.ts";
import { createAttemptLimits } from "./attempt-limits.ts";
import { serveLinks } from "./links.ts";
import { serveOwnPages } from "./own-pages.ts";
import { serveSignIn } from "./sign-in.ts";

interface Mounting {
  database: Database;
  secrets_key: SecretsKey;
  admission: Admission;
  config: ApiConfig;
}

/** Serves the paths below `/auth`, by which the dashboard's people prove who they are. */
export function mountAuth(
  app: FastifyInstance,
  { database, secrets_key, admission, config }: Mounting,
): void {
  const { sign_in_limit_per_minute, public_url } = config;
  const { sessions } = admission;
  const attempts = createAttemptLimits({ enabled: sign_in_limit_per_minute > 0 });
  serveOwnPages(app, { config, admission }, (scope) => {
    const parts = { database, secrets_key, public_url, sessions, attempts };
    serveSignIn(scope, parts);
    serveLinks(scope, parts);
  });
}
