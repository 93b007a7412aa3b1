import { type Transaction, transaction } from "@findersfee/database/connect";
import {
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
  type NewAnswer,
} from "@findersfee/database/idempotency-keys";
import type { Context, IdempotencyClaim } from "./context.ts";
import { DomainError } from "./errors.ts";

export const IDEMPOTENCY_HOURS = 24;

/** What was stored before this moment counts no longer. */
export function idempotencyExpiry(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_HOURS * 60 * 60 * 1000);
}

/**
 * Runs a change in one transaction. With an Idempotency-Key the answer is stored in that transaction; the
 * same request again gets the stored answer, and another request, or one beside it, `idempotency_conflict`.
 */
export async function change<Result>(
  context: Context,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const { database, organization, idempotency } = context;
  if (idempotency === null) return await transaction(database, work);
  return await transaction(database, async (sql) => {
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
    await insertIdempotencyKey(sql, organization.id, newAnswer(idempotency, result, now));
    return result;
  });
}

/** The row that remembers an answer. */
export function newAnswer(idempotency: IdempotencyClaim, result: unknown, now: Date): NewAnswer {
  return {
    key: idempotency.key,
    request_hash: idempotency.request_hash,
    response: JSON.stringify(result),
    created_at: now,
    expired_before: idempotencyExpiry(now),
  };
}

/**
 * The answer that the request's Idempotency-Key got before, or null: for a change that claims its key as it
 * writes, when the claim failed or the change could not even begin.
 */
export async function findReplay<Result>({
  database,
  organization,
  idempotency,
}: Context): Promise<Result | null> {
  if (idempotency === null) return null;
  const stored = await findIdempotencyKey(database, organization.id, {
    key: idempotency.key,
    expired_before: idempotencyExpiry(new Date()),
  });
  return stored === null ? null : replay<Result>(idempotency, stored);
}

function replay<Result>(
  idempotency: IdempotencyClaim,
  stored: { request_hash: Buffer; response: string },
): Result {
  if (!idempotency.request_hash.equals(stored.request_hash)) throw new DomainError("idempotency_conflict");
  idempotency.replayed = true;
  // The hash covers the operation, so what was stored is that operation's result.
  return JSON.parse(stored.response) as Result;
}
