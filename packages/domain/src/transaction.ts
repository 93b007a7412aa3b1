import {
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
} from "@findersfee/database/idempotency-keys";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { isDeadlock } from "@findersfee/database/postgres/errors";
import type { Context, IdempotencyClaim } from "./context.ts";
import { DomainError } from "./errors.ts";
import { idempotencyExpiry, newAnswer, replay } from "./idempotency.ts";
import { holdSender } from "./identity/rights/sender.ts";

/**
 * Runs a change in one transaction, which also stores the answer under the Idempotency-Key. A repetition of the request gets
 * the stored answer; a different or concurrent request with the same key gets `idempotency_conflict`.
 *
 * The sender's right is checked in the transaction, and kept until its end. `member_ids` are the members that the change
 * removes, or gives a role.
 */
export async function inTransaction<Result>(
  context: Context,
  work: (transaction: Transaction) => Promise<Result>,
  { member_ids = [] }: { member_ids?: readonly string[] } = {},
): Promise<Result> {
  const result = await transactionWithRetries(context.database, async (sql) => {
    if (canLoseRight(context)) await holdSender(sql, context, member_ids);
    return context.idempotency === null ? await work(sql) : await answerOnce(sql, context.idempotency);
  });
  context.notifyWorkers(context.organization.id);
  return result;

  async function answerOnce(sql: Transaction, idempotency: IdempotencyClaim): Promise<Result> {
    const { organization } = context;
    const now = new Date();
    const locked = await lockIdempotencyKey(sql, organization.id, idempotency.key);
    // A separate statement: its snapshot is newer than the lock, so it sees the changes of the last holder.
    const stored = await findIdempotencyKey(sql, organization.id, {
      key: idempotency.key,
      expired_before: idempotencyExpiry(now),
    });
    if (stored !== null) return replay<Result>(idempotency, stored);
    if (!locked) throw new DomainError("idempotency_conflict");
    const result = await work(sql);
    await insertIdempotencyKey(sql, organization.id, newAnswer(context, idempotency, { result, now }));
    return result;
  }
}

/** People, and keys that manage keys: the API's own changes are many, and check their key at the request. */
function canLoseRight({ actor, right }: Context): boolean {
  return actor.kind === "user" || (actor.kind === "key" && right?.scope === "admin");
}

const MAX_TRIES = 3;

/**
 * Runs a transaction, and repeats it after a deadlock. For example, two concurrent updates wait for each other if each takes
 * an email that the other one releases; Postgres then aborts one of them.
 */
async function transactionWithRetries<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries_left = MAX_TRIES - 1; ; tries_left--) {
    try {
      return await transaction(database, work);
    } catch (error) {
      if (!isDeadlock(error) || tries_left === 0) throw error;
    }
  }
}
