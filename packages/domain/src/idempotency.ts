import { hash } from "node:crypto";
import {
  deleteExpiredIdempotencyKeys,
  findIdempotencyKey,
  type NewAnswer,
} from "@findersfee/database/idempotency-keys";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Context, IdempotencyClaim } from "./context.ts";
import { DomainError } from "./errors.ts";

const RETENTION_HOURS = 24;
const DELETE_BATCH = 1_000;

/** Answers stored before this time have expired. */
export function idempotencyExpiry(now: Date): Date {
  return new Date(now.getTime() - RETENTION_HOURS * 60 * 60 * 1000);
}

/**
 * Claims a key for a request to an operation. The input is compared as JSON: the order of fields and the writing of
 * numbers do not count.
 */
export function claimKey(key: string, { path, input }: { path: string; input: unknown }): IdempotencyClaim {
  const hashOf = (text: string | undefined) => hash("sha256", `${path}\n${text}`, "buffer");
  return {
    key,
    request_hash: hashOf(JSON.stringify(input, sortFields)),
    formerHash: () => hashOf(JSON.stringify(input)),
    replayed: false,
  };
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The row that stores an answer.
 *
 * @throws DomainError `quota_exceeded` when the organization stores too many
 */
export function newAnswer(
  { organization, quotas }: Context,
  idempotency: IdempotencyClaim,
  { result, now }: { result: unknown; now: Date },
): NewAnswer {
  quotas?.admit("stored_answers", organization.id);
  return {
    key: idempotency.key,
    request_hash: idempotency.request_hash,
    response: JSON.stringify(result),
    created_at: now,
    expired_before: idempotencyExpiry(now),
  };
}

/**
 * The stored answer for the request's Idempotency-Key, or null. For changes that claim the key in their own write,
 * after the claim failed or before the change could start.
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

/** The stored answer, if it is for the same request; else `idempotency_conflict`. */
export function replay<Result>(
  idempotency: IdempotencyClaim,
  stored: { request_hash: Buffer; response: string },
): Result {
  const { request_hash, formerHash } = idempotency;
  const is_same =
    request_hash.equals(stored.request_hash) || formerHash?.().equals(stored.request_hash) === true;
  if (!is_same) throw new DomainError("idempotency_conflict");
  idempotency.replayed = true;
  // The hash covers the operation, so the stored answer has that operation's type.
  return JSON.parse(stored.response) as Result;
}

/** Deletes expired answers in small statements; returns their number. */
export async function deleteExpiredAnswers(database: Database): Promise<number> {
  const expired_before = idempotencyExpiry(new Date());
  let total = 0;
  for (;;) {
    const deleted = await deleteExpiredIdempotencyKeys(database, { expired_before, limit: DELETE_BATCH });
    total += deleted;
    if (deleted < DELETE_BATCH) return total;
  }
}
