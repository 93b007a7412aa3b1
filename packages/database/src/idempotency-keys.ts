import type { Connection } from "./connect.ts";

export interface StoredAnswer {
  request_hash: Buffer;
  /** The answer as JSON. */
  response: string;
}

export interface NewAnswer extends StoredAnswer {
  key: string;
  created_at: Date;
  /** What was stored before this moment counts no longer. */
  expired_before: Date;
}

/** Takes the key until the transaction ends. False: another transaction has it. */
export async function lockIdempotencyKey(
  sql: Connection,
  organizationId: string,
  key: string,
): Promise<boolean> {
  const [row] = await sql<[{ locked: boolean }]>`select ${lock(sql, organizationId, key)} as locked`;
  return row.locked;
}

function lock(sql: Connection, organizationId: string, key: string) {
  return sql`pg_try_advisory_xact_lock(hashtextextended(${`${organizationId}:${key}`}, 0))`;
}

export async function findIdempotencyKey(
  sql: Connection,
  organizationId: string,
  { key, expired_before }: { key: string; expired_before: Date },
): Promise<StoredAnswer | null> {
  const [row] = await sql<StoredAnswer[]>`
    select request_hash, response from idempotency_keys
    where organization_id = ${organizationId} and key = ${key} and created_at >= ${expired_before}`;
  return row ?? null;
}

/** Stores an answer; the caller holds the key's lock and found nothing stored that still counts. */
export async function insertIdempotencyKey(
  sql: Connection,
  organizationId: string,
  answer: NewAnswer,
): Promise<void> {
  await sql`${insertion(sql, organizationId, answer)}`;
}

/**
 * Part of a larger statement: takes the key and stores the answer, and returns a row only if both
 * succeeded. What the statement changes must depend on that row.
 */
export function claimIdempotencyKey(sql: Connection, organizationId: string, answer: NewAnswer) {
  return sql`${insertion(sql, organizationId, answer, sql`where ${lock(sql, organizationId, answer.key)}`)} returning key`;
}

function insertion(
  sql: Connection,
  organizationId: string,
  answer: NewAnswer,
  condition: ReturnType<typeof lock> = sql``,
) {
  return sql`
    insert into idempotency_keys (organization_id, key, request_hash, response, created_at)
    select ${organizationId}::uuid, ${answer.key}, ${answer.request_hash}::bytea, ${answer.response},
      ${answer.created_at}::timestamptz
    ${condition}
    on conflict (organization_id, key) do update
      set request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at
      where idempotency_keys.created_at < ${answer.expired_before}`;
}

/** Deletes at most `limit` answers that count no longer; returns how many. */
export async function deleteExpiredIdempotencyKeys(
  sql: Connection,
  { expired_before, limit }: { expired_before: Date; limit: number },
): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (organization_id, key) in (
      select organization_id, key from idempotency_keys where created_at < ${expired_before}
      order by created_at limit ${limit} for update skip locked)`;
  return result.count;
}
