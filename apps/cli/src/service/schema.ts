import { createServer, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { describeWrongClock } from "@findersfee/database/postgres/clock";
import type { Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { checkSchema, PendingMigrationsError } from "@findersfee/database/schema/check";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { printLine } from "../print.ts";
import { listeningError, type Place } from "./listening.ts";

const WAIT_MILLISECONDS = 1_000;
const WATCH_MILLISECONDS = 10_000;
const RETRY_AFTER_SECONDS = 5;

export const WAIT_FOR_SCHEMA = [
  "--wait-for-schema",
  "wait until the database has this version's migrations, instead of exiting",
] as const;

export const waitOption = { waitForSchema: z.boolean().default(false) };

/** The behavior of a process that starts while the database lacks migrations. */
export interface SchemaWait {
  /** The stop signal. */
  shutdown: AbortSignal;
  /** False: it is an error. */
  waits: boolean;
  /** Where `/healthz` answers while the process waits; undefined for a process that does not listen. */
  place?: Place | undefined;
}

/**
 * Resolves when this version can use the database's schema, or when the process is asked to stop.
 *
 * @throws SchemaError when the schema has migrations that this version does not run with, or lacks some and nothing waits
 */
export async function awaitSchema(database: Database, { shutdown, waits, place }: SchemaWait): Promise<void> {
  let waiting: Server | null = null;
  try {
    while (!shutdown.aborted) {
      try {
        const { newer } = await checkSchema(database);
        if (newer.length > 0)
          printLine(`The schema has newer migrations, which this version runs with: ${newer.join(", ")}.`);
        return;
      } catch (error) {
        if (!waits || !(error instanceof PendingMigrationsError)) throw error;
        if (waiting === null) printLine(`${error.message} Waiting for it.`);
        if (place !== undefined) waiting ??= await answerWhileWaiting(place, WAITS_FOR_MIGRATION);
      }
      await delay(WAIT_MILLISECONDS, undefined, { ref: true });
    }
  } finally {
    waiting?.closeAllConnections();
    waiting?.close();
  }
}

const WAITS_FOR_MIGRATION = "The service waits for the migration of its database. Run `findersfee migrate`.";

/** The process lives (`/healthz`), and serves nothing; `message` says why. */
export async function answerWhileWaiting(place: Place, message: string): Promise<Server> {
  const { version } = packageJson;
  const error = { code: "unavailable", message };
  const server = createServer((request, response) => {
    const lives = request.url?.split("?")[0] === "/healthz";
    const body = lives ? { status: "ok", version } : { success: false, error };
    response.statusCode = lives ? 200 : 503;
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.setHeader("connection", "close");
    if (!lives) response.setHeader("retry-after", RETRY_AFTER_SECONDS);
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(listeningError(cause, place)));
    server.listen(place.port, place.host, resolve);
  });
  return server;
}

/**
 * Looks at the database of a process without requests, such as a worker, which would go on. Rejects once the schema has migrations that
 * this version does not run with, and logs once that the clock is wrong. An outage says nothing about either.
 */
export async function watchDatabase(
  database: Database,
  { stopped, log }: { stopped: AbortSignal; log: { error(facts: object, message: string): void } },
): Promise<void> {
  let was_wrong = false;
  while (!stopped.aborted) {
    try {
      await checkSchema(database);
      const reason = await describeWrongClock(database);
      if (reason !== null && !was_wrong) log.error({ reason }, "the clock is wrong");
      was_wrong = reason !== null;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await delay(WATCH_MILLISECONDS, undefined, { ref: false });
  }
}
