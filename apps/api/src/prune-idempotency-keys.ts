import type { Database } from "@findersfee/database/postgres/connect";
import { deleteExpiredAnswers } from "@findersfee/domain/idempotency";
import type { FastifyInstance } from "fastify";

const PAUSE_MILLISECONDS = 60_000;

/** Deletes expired idempotency keys and their stored responses, every minute. */
export function pruneIdempotencyKeys(app: FastifyInstance, database: Database): void {
  let timer: NodeJS.Timeout;
  const later = () => {
    timer = setTimeout(async () => {
      await deleteExpiredAnswers(database).catch((error: unknown) =>
        app.log.warn({ err: error }, "failed to delete expired idempotency keys; the next run retries"),
      );
      later();
    }, PAUSE_MILLISECONDS);
    timer.unref();
  };
  later();
  app.addHook("onClose", async () => clearTimeout(timer));
}
