import { findEmbedded } from "@findersfee/database/embedded/embedded";
import type { Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { isStandby } from "@findersfee/database/replicas/probe";
import { linkTo } from "@findersfee/domain/identity/accounts/links";
import { makeFirstSetupLink } from "@findersfee/domain/identity/setup/links";
import type { Command } from "commander";
import { type Config, readConfig, requireSecretsKey } from "../config.ts";
import { readOptions } from "../options.ts";
import { printLine } from "../print.ts";
import { openSecretsKey } from "../secrets/read.ts";
import { awaitHistory, openContinuity } from "./continuity.ts";
import { openReplicas } from "./replicas.ts";
import { awaitSchema, WAIT_FOR_SCHEMA, waitOption } from "./schema.ts";
import { openPool, serveApi } from "./serve.ts";
import { listenForShutdown, Opened, whenAborted } from "./shutdown.ts";
import { createProcessMetrics, openTracing } from "./telemetry.ts";

const STANDBY =
  "The database is a standby: the API answers reads, and rejects changes (503) until the standby is promoted.";

const UNAVAILABLE =
  "The database is unavailable: the API waits for it. If there is no user yet, `findersfee user link` makes the link to set up.";

export function addApi(program: Command): void {
  program
    .command("api")
    .description("run one API process on a migrated database")
    .addHelpText(
      "after",
      `
Uses DATABASE_URL, or the embedded database of a running \`findersfee start\`.

Examples:
  DATABASE_URL=postgres://… SECRETS_KEY=… PORT=8080 findersfee api
  PORT=3001 findersfee api`,
    )
    .option(...WAIT_FOR_SCHEMA)
    .action((raw: unknown) => api(readConfig(), readOptions(waitOption, raw).waitForSchema));
}

async function api(config: Config, waits: boolean): Promise<void> {
  requireSecretsKey(config);
  const shutdown = listenForShutdown();
  const opened = new Opened();
  try {
    await openTracing(config, "findersfee-api", opened);
    const observer = await createProcessMetrics();
    const url = await findDatabase(config);
    const database = await openPool(config, { url, role: "api", opened, observer });
    const place = { host: config.HOST, port: config.PORT, variable: "PORT" } as const;
    await awaitSchema(database, { shutdown, waits, place });
    if (shutdown.aborted) return;
    const continuity = await openContinuity(config, { pools: [{ database, role: "api" }], opened, observer });
    await awaitHistory(continuity, { shutdown, place });
    if (shutdown.aborted) return;
    const secrets_key = await openSecretsKey(config, database);
    if (shutdown.aborted) return;
    const registries = [observer.registry];
    const replicas = openReplicas(config, { url, role: "api", opened, observer });
    const served = { database, replicas, secrets_key, opened, registries };
    const { url: api_url, drain } = await serveApi(config, served);
    printLine(`The API is served at ${api_url}/v1, its reference at ${api_url}/docs.`);
    await announce(database, api_url);
    await whenAborted(shutdown);
    await drain();
  } finally {
    await opened.close();
  }
}

/**
 * Prints the warnings for an operator at the start. The process serves already: it goes on if the database is
 * away at the moment.
 */
async function announce(database: Database, api_url: string): Promise<void> {
  try {
    const setup_link = await makeFirstSetupLink(database);
    if (setup_link !== null) printLine(`Set up ${linkTo(api_url, "setup", setup_link.token)}`);
    if (await isStandby(database)) printLine(STANDBY);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    printLine(UNAVAILABLE);
  }
}

export async function findDatabase(config: Config): Promise<string> {
  const url = config.DATABASE_URL ?? (await findEmbedded(config.DATA_DIR));
  if (url !== null) return url;
  throw new Error(`No database: set DATABASE_URL, or run \`findersfee start\` on ${config.DATA_DIR} first.`);
}
