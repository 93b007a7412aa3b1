import type { Database } from "@findersfee/database/connect";
import { forgetExpiredAnswers } from "@findersfee/domain/idempotency";
import type { FastifyInstance } from "fastify";

const PAUSE_MILLISECONDS = 60_000;

/** Deletes, every minute, the stored answers of idempotency keys that count no longer. */
export function forgetAnswers(app: FastifyInstance, database: Database): void {
  let timer: NodeJS.Timeout;
  const later = () => {
    timer = setTimeout(async () => {
      await forgetExpiredAnswers(database).catch((error: unknown) =>
        app.log.warn({ err: error }, "expired idempotency keys were not deleted"),
      );
      later();
    }, PAUSE_MILLISECONDS);
    timer.unref();
  };
  later();
  app.addHook("onClose", async () => clearTimeout(timer));
}
