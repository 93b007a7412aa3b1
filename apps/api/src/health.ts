import { setTimeout as delay } from "node:timers/promises";
import { readMigrations } from "@findersfee/database/migrations";
import { describeWrongClock } from "@findersfee/database/postgres/clock";
import type { Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { checkSchema, SchemaError } from "@findersfee/database/schema/check";
import { continuityOf } from "@findersfee/domain/continuity/continuity";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance } from "fastify";

/** A readiness probe must not wait long. */
const READY_MILLISECONDS = 3_000;

/** A reason that needs no other words. */
class UnreadyError extends Error {}

/** A probe that takes an outage for ready is answered before load balancers lose patience. */
const UNDECIDED_MILLISECONDS = 500;

interface Health {
  database: Database;
  replicas: Replicas | undefined;
  version: string;
  isDraining: () => boolean;
}

/**
 * `/healthz`: the process responds, with its version. `/readyz`: it can serve requests, with a database of
 * the expected schema and history, and a clock like the database's. With `?exclude=database`, it is ready
 * while the database is away, too: all other processes would be unready alike, and nobody would answer
 * requests that need no database. It says whether read replicas are used: without them, it is ready, too.
 */
export async function serveHealth(
  app: FastifyInstance,
  { database, replicas, version, isDraining }: Health,
): Promise<void> {
  const check = await readinessCheck(database);
  /** Why the process is not ready: logged once. */
  let reason: string | null = null;
  app.get("/healthz", async () => ({ status: "ok", version }));
  app.get("/readyz", async (request) => {
    if (isDraining()) throw unready("The process is stopping. Send requests to another one.");
    const { exclude } = request.query as { exclude?: unknown };
    const is_patient = exclude !== "database";
    const result = await within(is_patient ? READY_MILLISECONDS : UNDECIDED_MILLISECONDS, check());
    if (result !== null && !isUnavailable(result.error)) {
      const { error } = result;
      const { message } = error instanceof Error ? error : new Error(String(error));
      const is_known = error instanceof UnreadyError || error instanceof SchemaError;
      if (error !== undefined && !is_known) throw error;
      if (is_known && reason !== message) request.log.error({ reason: message }, "not ready");
      reason = is_known ? message : null;
      if (is_known) throw unready(error instanceof UnreadyError ? message : WRONG_SCHEMA);
      // Without hosts: the answer needs no key.
      const read_replicas = replicas?.report().map(({ state }) => state);
      return { status: "ready", ...(read_replicas && { read_replicas }) };
    }
    if (is_patient) throw result?.error ?? unready("The database does not answer.");
    // The process was not ready before the outage, and still is not.
    if (reason !== null) throw unready(reason);
    return { status: "ready", database: "unavailable" };
  });
}

const WRONG_SCHEMA = "The database's schema does not match this version. Run `findersfee migrate`.";

function unready(message: string): DomainError {
  return new DomainError("unavailable", { message });
}

/** How a check of schema and clock ends, with its error if it fails. One runs at a time, regardless of the number of probes: they need no key. */
async function readinessCheck(database: Database): Promise<() => Promise<{ error?: unknown }>> {
  const migrations = await readMigrations();
  const checkAll = async (): Promise<void> => {
    const step_back = continuityOf(database)?.stepBack ?? null;
    if (step_back !== null) {
      throw new UnreadyError(
        `${step_back.reason} Writes and deliveries have stopped. Run \`findersfee verify continuity\`.`,
      );
    }
    await checkSchema(database, migrations);
    const wrong_clock = await describeWrongClock(database);
    if (wrong_clock !== null) throw new UnreadyError(wrong_clock);
  };
  let running: Promise<{ error?: unknown }> | null = null;
  return () => {
    running ??= checkAll()
      .then(
        () => ({}),
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Null: it takes longer. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | null> {
  const timer = new AbortController();
  const late = delay(milliseconds, null, { signal: timer.signal });
  return await Promise.race([work, late]).finally(() => timer.abort());
}
