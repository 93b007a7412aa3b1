import type { Database } from "@findersfee/database/postgres/connect";
import type { EndpointPolicy } from "@findersfee/domain/webhooks/endpoints/policy";
import { withDatabase } from "../command-database.ts";
import { type Config, endpointUrlRelaxations, requireSecretsKey } from "../config.ts";
import { openSecretsKey } from "../secrets/read.ts";

/** Runs `work` with the database and the key that encrypts endpoints' secrets. */
export async function withPolicy<Result>(
  config: Config,
  work: (database: Database, policy: EndpointPolicy) => Promise<Result>,
): Promise<Result> {
  requireSecretsKey(config);
  return await withDatabase(config, async (database) => {
    const secrets_key = await openSecretsKey(config, database);
    return await work(database, { ...endpointUrlRelaxations(config), secrets_key });
  });
}
