import { setTimeout as delay } from "node:timers/promises";
import { borrowEmbedded } from "@findersfee/database/embedded/embedded";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { hasCode } from "@findersfee/database/postgres/error-code";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { FIRST_POSITION } from "@findersfee/database/replicas/position";
import { Replicas } from "@findersfee/database/replicas/replicas";
import { checkSchema, SchemaError } from "@findersfee/database/schema/check";
import type { Config } from "./config.ts";
import { applyMigrations } from "./service/apply-migrations.ts";

interface CommandDatabase {
  database: Database;
  close(): Promise<void>;
}

const ATTEMPTS = 10;
const RETRY_MILLISECONDS = 200;
/** For the standbys to say where they are. */
const READY_MILLISECONDS = 5_000;
const DATABASE_MISSING = "3D000";

/**
 * Runs a command on the database: the one of DATABASE_URL, or the embedded one, shared with a running service
 * or started for this command.
 *
 * @throws SchemaError when the database does not have this version's schema
 */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { database, close } = await openDatabase(config);
  try {
    return await work(database);
  } finally {
    await close();
  }
}

/**
 * Runs a long read on the first standby of DATABASE_READ_URL that is fresh enough, else on the database, and on that again if it fails
 * on the standby.
 */
export async function withReadDatabase<Result>(
  config: Config,
  read: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_READ_URL: url, DATABASE_URL: primary_url } = config;
  return await withDatabase(config, async (primary) => {
    if (url === null || primary_url === null) return await read(primary);
    const replicas = new Replicas({
      url,
      primary_url,
      pool: { poolSize: 1, prepare: false, name: "findersfee command" },
      statement_seconds: 0,
      max_lag_seconds: config.DATABASE_READ_MAX_LAG_SECONDS,
    });
    try {
      await replicas.ready(READY_MILLISECONDS);
      return await replicas.read({ after: FIRST_POSITION, reader: "command", primary }, read);
    } finally {
      await replicas.end();
    }
  });
}

async function openDatabase(config: Config): Promise<CommandDatabase> {
  if (config.DATABASE_URL === null) return await openEmbedded(config);
  const database = connectOnce(config.DATABASE_URL);
  const close = () => database.end({ timeout: 5 });
  try {
    await checkSchema(database);
    return { database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Services and other commands may start and stop Postgres until the connection is open. */
async function openEmbedded(config: Config): Promise<CommandDatabase> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryEmbedded(config);
    } catch (error) {
      if (!mayPass(error) || attempt === ATTEMPTS) throw error;
      await delay(RETRY_MILLISECONDS);
    }
  }
}

/** Whether Postgres may still be starting up: creating the database, or migrating it. */
function mayPass(error: unknown): boolean {
  return isUnavailable(error) || hasCode(error, DATABASE_MISSING) || error instanceof SchemaError;
}

async function tryEmbedded(config: Config): Promise<CommandDatabase> {
  const { url, shared, stop } = await borrowEmbedded(config.DATA_DIR);
  const database = connectOnce(url);
  const close = async () => {
    await database.end({ timeout: 5 });
    await stop();
  };
  try {
    // The first service or command creates the embedded database.
    if (shared) await checkSchema(database);
    else await applyMigrations(config, url);
    return { database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A single connection; once open, a stopping Postgres waits for the command to finish. */
function connectOnce(url: string): Database {
  return connect({ url, poolSize: 1, prepare: false, name: "findersfee command" });
}
