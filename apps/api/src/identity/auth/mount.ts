import type { Database } from "@findersfee/database/postgres/connect";
import type { ProviderCalls } from "@findersfee/domain/identity/single-sign-on/provider";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance } from "fastify";
import type { Admission } from "../../admission/admission.ts";
import type { ApiConfig } from "../../config.ts";
import { createAttemptLimits } from "./attempt-limits.ts";
import { serveLinks } from "./links.ts";
import { serveOwnPages } from "./own-pages.ts";
import { serveSignIn } from "./sign-in.ts";
import { serveSingleSignOn } from "./single-sign-on.ts";

interface Mounting {
  database: Database;
  secrets_key: SecretsKey;
  provider_calls: ProviderCalls;
  admission: Admission;
  config: ApiConfig;
}

/** Serves the paths below `/auth`, where the dashboard's people prove who they are. */
export function mountAuth(
  app: FastifyInstance,
  { database, secrets_key, provider_calls, admission, config }: Mounting,
): void {
  const { sign_in_limit_per_minute, public_url } = config;
  const { sessions } = admission;
  const attempts = createAttemptLimits({ enabled: sign_in_limit_per_minute > 0 });
  serveOwnPages(app, { config, admission }, (scope) => {
    const parts = { database, secrets_key, public_url, sessions, attempts };
    serveSignIn(scope, parts);
    serveLinks(scope, parts);
    serveSingleSignOn(scope, { ...parts, provider_calls });
  });
}
