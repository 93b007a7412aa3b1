import { readMigrations } from "@findersfee/database/migrations";
import { clockOffset, MAX_CLOCK_SECONDS } from "@findersfee/database/postgres/clock";
import type { Database } from "@findersfee/database/postgres/connect";
import { checkSchema, SchemaError } from "@findersfee/database/schema/check";
import { continuityOf } from "@findersfee/domain/continuity/continuity";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance } from "fastify";

/** A readiness probe must not wait long. */
const READY_MILLISECONDS = 3_000;

/** A reason that needs no other words. */
class UnreadyError extends Error {}

/**
 * `/healthz`: the process responds, with its version. `/readyz`: it can serve requests, with a database of
 * the expected schema and history, and a clock like the database's.
 */
export async function serveHealth(
  app: FastifyInstance,
  { database, version, isDraining }: { database: Database; version: string; isDraining: () => boolean },
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
    const step_back = continuityOf(database)?.stepBack ?? null;
    if (step_back !== null) {
      throw new UnreadyError(
        `${step_back.reason} Writes and deliveries have stopped. Run \`findersfee verify continuity\`.`,
      );
    }
    await checkSchema(database, migrations);
    const seconds = Math.round(await clockOffset(database));
    if (Math.abs(seconds) <= MAX_CLOCK_SECONDS) return;
    throw new UnreadyError(
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
      const is_plain = error instanceof UnreadyError;
      if (!is_plain && !(error instanceof SchemaError)) throw error;
      if (reason !== error.message) request.log.error({ reason: error.message }, "not ready");
      reason = error.message;
      throw new DomainError("unavailable", {
        message: is_plain
          ? error.message
          : "The database's schema does not match this version. Run `findersfee migrate`.",
      });
    });
    reason = null;
    return { status: "ready" };
  });
}
