import { setTimeout as delay } from "node:timers/promises";
import { connect, type Database } from "@findersfee/database/connect";
import { borrowEmbedded } from "@findersfee/database/embedded";
import { hasCode } from "@findersfee/database/error-code";
import { isUnavailable } from "@findersfee/database/errors";
import { checkSchema, migrate, SchemaError } from "@findersfee/database/migrate";
import { migrateQueue } from "@findersfee/database/queue";
import type { Config } from "./config.ts";

interface CommandDatabase {
  database: Database;
  close(): Promise<void>;
}

const ATTEMPTS = 10;
const RETRY_MILLISECONDS = 200;
const DATABASE_MISSING = "3D000";

/**
 * Runs a command's work on the database: that of DATABASE_URL, or the embedded one, beside a service that
 * runs on it or started for the moment.
 *
 * @throws SchemaError when the database has not the schema of this version
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

/** Services and other commands may start and stop Postgres under us until we are connected. */
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

/** Whether whoever started Postgres may not be ready: it has yet to make the database, or to migrate it. */
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
    // An embedded database is made by whoever comes first, a service or a command.
    if (shared) await checkSchema(database);
    else {
      await migrate(database);
      await migrateQueue(url);
    }
    return { database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One connection, so that once it stands, a Postgres that is asked to stop waits for the command's end. */
function connectOnce(url: string): Database {
  return connect({ url, poolSize: 1, prepare: false, name: "findersfee command" });
}
