import { readMigrations } from "@findersfee/database/migrations";
import { clockOffset, MAX_CLOCK_SECONDS } from "@findersfee/database/postgres/clock";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { checkSchema, SchemaError } from "@findersfee/database/schema/check";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance } from "fastify";

/** A readiness probe must not wait long. */
const READY_MILLISECONDS = 3_000;

class ClockError extends Error {}

/**
 * `/healthz`: the process responds, with its version. `/readyz`: it can serve requests, with a database of
 * the expected schema, and a clock like the database's. It also says whether read replicas are used: without them, it is ready, too.
 */
export async function serveHealth(
  app: FastifyInstance,
  {
    database,
    replicas,
    version,
    isDraining,
  }: {
    database: Database;
    replicas: Replicas | undefined;
    version: string;
    isDraining: () => boolean;
  },
): Promise<void> {
  const migrations = await readMigrations();
  let check: Promise<void> | null = null;
  /** Why the process is not ready: logged once. */
  let reason: string | null = null;
  // One check at a time, regardless of the number of probes: they need no key.
  const checkOnce = (): Promise<void> => {
    check ??= checkAll().finally(() => {
      check = null;
    });
    return check;
  };
  const checkAll = async (): Promise<void> => {
    await checkSchema(database, migrations);
    const seconds = Math.round(await clockOffset(database));
    if (Math.abs(seconds) <= MAX_CLOCK_SECONDS) return;
    throw new ClockError(
      `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the database's.`,
    );
  };
  app.get("/healthz", async () => ({ status: "ok", version }));
  app.get("/readyz", { handlerTimeout: READY_MILLISECONDS }, async (request) => {
    if (isDraining()) {
      throw new DomainError("unavailable", {
        message: "The process is stopping. Send requests to another one.",
      });
    }
    await checkOnce().catch((error: unknown) => {
      const is_clock = error instanceof ClockError;
      if (!is_clock && !(error instanceof SchemaError)) throw error;
      if (reason !== error.message) request.log.error({ reason: error.message }, "not ready");
      reason = error.message;
      throw new DomainError("unavailable", {
        message: is_clock
          ? error.message
          : "The database's schema does not match this version. Run `findersfee migrate`.",
      });
    });
    reason = null;
    if (replicas === undefined) return { status: "ready" };
    // Without hosts: the answer needs no key.
    return { status: "ready", read_replicas: replicas.report().map(({ state }) => state) };
  });
}
