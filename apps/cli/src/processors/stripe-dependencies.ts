import type { Database } from "@findersfee/database/postgres/connect";
import type { EndpointDependencies } from "@findersfee/worker/processors/stripe/client";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "../config.ts";
import { openSecretsKey } from "../secrets/read.ts";

/** The dependencies of the worker's Stripe operations, for a command that runs one itself. */
export async function stripeDependencies(config: Config, database: Database): Promise<EndpointDependencies> {
  const { createLogger } = await import("@findersfee/log/log");
  return {
    database,
    log: createLogger({ name: "findersfee", level: config.LOG_LEVEL, version: packageJson.version }),
    secrets_key: await openSecretsKey(config, database),
    stripe_api_url: config.STRIPE_API_URL,
    publicUrl: () => config.PUBLIC_URL,
  };
}
