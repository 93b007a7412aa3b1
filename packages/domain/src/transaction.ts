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
 * Runs a change in one transaction. With an Idempotency-Key, the answer is stored in that transaction. The same request
 * again gets the stored answer; a different or concurrent request with the key gets `idempotency_conflict`.
 */
export async function inTransaction<Result>(
  context: Context,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await commit(context, work);
  context.notifyWorkers(context.organization.id);
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
    // A separate statement: its snapshot is newer than the lock, so it sees the changes of the last holder.
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
 * Runs a transaction again after a deadlock. For example, two concurrent updates that swap a unique value (each takes
 * the email that the other releases) wait for each other, and Postgres aborts one of them.
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
