import { setTimeout as delay } from "node:timers/promises";
import { connect, type Database, observe } from "@findersfee/database/postgres/connect";
import type { PoolObserver } from "@findersfee/database/postgres/observer";
import { checkPreparedStatements } from "@findersfee/database/postgres/prepared-statements";
import { readTimeLimits } from "@findersfee/database/postgres/time-limits";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { alignEventClock } from "@findersfee/database/webhooks/event-clock";
import type { LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { Worker } from "@findersfee/worker/worker";
import packageJson from "../../package.json" with { type: "json" };
import { apiConfig, type Config, endpointUrlRelaxations, shutdownDelay } from "../config.ts";
import { applicationFolders } from "./application-folders.ts";
import { listeningError } from "./listening.ts";
import type { Opened } from "./shutdown.ts";

/**
 * Opens a service's pool, closed with the other resources.
 *
 * @throws PreparedStatementsError when a pooler in front of the database does not support the configuration
 */
export async function openPool(
  config: Config,
  {
    url,
    role,
    opened,
    observer,
  }: { url: string; role: "api" | "worker"; opened: Opened; observer: PoolObserver },
): Promise<Database> {
  const options = { url, prepare: config.DATABASE_PREPARE, name: `findersfee ${role}` };
  if (config.DATABASE_URL !== null) await checkPreparedStatements(options);
  const limits = await readTimeLimits(options, config.DATABASE_STATEMENT_SECONDS);
  const database = connect({ ...options, poolSize: config.DATABASE_POOL_SIZE, limits });
  observe(database, observer);
  opened.add(() => database.end({ timeout: 5 }));
  return database;
}

/** A served API. */
export interface ServedApi {
  /** Its public address. */
  url: string;
  /** Resolves when load balancers have had time to send requests elsewhere (SHUTDOWN_DELAY_SECONDS): it is not ready from now on. */
  drain: () => Promise<void>;
}

/** Serves the API on a database of this version's schema. */
export async function serveApi(
  config: Config,
  {
    database,
    replicas,
    secrets_key,
    opened,
    registries = [],
    mailbox,
  }: {
    database: Database;
    replicas?: Replicas | undefined;
    secrets_key: SecretsKey;
    opened: Opened;
    registries?: Worker["registry"][];
    /** The mailbox of a service that shows mails instead of sending them. */
    mailbox?: LocalMailbox | undefined;
  },
): Promise<ServedApi> {
  await alignEventClock(database);
  const applications = await applicationFolders();
  // Loaded here, so that commands that serve nothing start fast.
  const { startApi } = await import("@findersfee/api/server");
  try {
    const api = await startApi(apiConfig(config), database, {
      endpoint_policy: { ...endpointUrlRelaxations(config), secrets_key },
      replicas,
      registries,
      version: packageJson.version,
      applications,
      ...(mailbox === undefined ? {} : { mailbox }),
    });
    opened.add(() => api.close());
    const drain = async () => {
      api.drain();
      await delay(shutdownDelay(config) * 1000);
    };
    return { url: config.PUBLIC_URL ?? api.url, drain };
  } catch (error) {
    throw listeningError(error, { host: config.HOST, port: config.PORT, variable: "PORT" });
  }
}
