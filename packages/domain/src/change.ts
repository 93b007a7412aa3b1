import { type Database, type Transaction, transaction } from "@findersfee/database/connect";
import { isDeadlock } from "@findersfee/database/errors";
import {
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
} from "@findersfee/database/idempotency-keys";
import type { Context } from "./context.ts";
import { DomainError } from "./errors.ts";
import { idempotencyExpiry, newAnswer, replay } from "./idempotency.ts";

/**
 * Runs a change in one transaction. With an Idempotency-Key the answer is stored in that transaction; the
 * same request again gets the stored answer, and another request, or one beside it, `idempotency_conflict`.
 */
export async function change<Result>(
  context: Context,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await commit(context, work);
  context.wake(context.organization.id);
  return result;
}

async function commit<Result>(
  context: Context,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { database, organization, idempotency } = context;
  if (idempotency === null) return await transactionAgain(database, work);
  return await transactionAgain(database, async (sql) => {
    const now = new Date();
    const free = await lockIdempotencyKey(sql, organization.id, idempotency.key);
    // A statement of its own: its snapshot is newer than the lock, so it sees what the last holder did.
    const stored = await findIdempotencyKey(sql, organization.id, {
      key: idempotency.key,
      expired_before: idempotencyExpiry(now),
    });
    if (stored !== null) return replay<Result>(idempotency, stored);
    if (!free) throw new DomainError("idempotency_conflict");
    const result = await work(sql);
    await insertIdempotencyKey(sql, organization.id, newAnswer(context, idempotency, { result, now }));
    return result;
  });
}

const DEADLOCK_TRIES = 3;

/**
 * A transaction that is tried again after a deadlock: two rows that trade a unique value at the same time
 * (each takes the email that the other gives up) wait for each other, and Postgres ends one of them.
 */
async function transactionAgain<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries_left = DEADLOCK_TRIES - 1; ; tries_left--) {
    try {
      return await transaction(database, work);
    } catch (error) {
      if (!isDeadlock(error) || tries_left === 0) throw error;
    }
  }
}
