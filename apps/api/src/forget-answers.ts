import type { Database } from "@findersfee/database/connect";
import { deleteExpiredIdempotencyKeys } from "@findersfee/database/idempotency-keys";
import { idempotencyExpiry } from "@findersfee/domain/change";
import type { FastifyInstance } from "fastify";

const INTERVAL_MILLISECONDS = 60_000;
const BATCH = 5_000;

/** Deletes the stored answers of idempotency keys that count no longer, a batch a minute. */
export function forgetAnswers(app: FastifyInstance, database: Database): void {
  const timer = setInterval(() => {
    deleteExpiredIdempotencyKeys(database, {
      expired_before: idempotencyExpiry(new Date()),
      limit: BATCH,
    }).catch((error: unknown) => app.log.warn({ err: error }, "expired idempotency keys were not deleted"));
  }, INTERVAL_MILLISECONDS);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
