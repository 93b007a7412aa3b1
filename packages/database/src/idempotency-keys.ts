import type { Connection } from "./postgres/connect.ts";
import { statement } from "./postgres/statement.ts";

export interface StoredAnswer {
  request_hash: Buffer;
  /** The stored response as JSON. */
  response: string;
}

export interface NewAnswer extends StoredAnswer {
  key: string;
  created_at: Date;
  /** Responses that were stored before this moment have expired. */
  expired_before: Date;
}

/** Two keys with the same lock number only wait for each other; the primary key distinguishes them. */
function lockOf(key: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended(:organization_id::text || ':' || ${key}, 0))`;
}

const TAKE_LOCK = statement<{ locked: boolean }, "organization_id" | "key">(
  `select ${lockOf(":key::text")} as locked`,
);

/** Locks the key until the transaction ends. False: another transaction holds the lock. */
export async function lockIdempotencyKey(
  sql: Connection,
  organizationId: string,
  key: string,
): Promise<boolean> {
  const [row] = await TAKE_LOCK.run(sql, { organization_id: organizationId, key });
  return row?.locked === true;
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

/** Stores the responses of a `select key, request_hash, response, created_at` for keys that are not in use. */
function storeAnswers(source: string): string {
  return `insert into idempotency_keys (organization_id, key, request_hash, response, created_at)
      select :organization_id::uuid, answer.key, answer.request_hash, answer.response, answer.created_at
      from (${source}) as answer
      on conflict (organization_id, key) do update
        set request_hash = excluded.request_hash, response = excluded.response, created_at = excluded.created_at
        where idempotency_keys.created_at < :expired_before::timestamptz
      returning key`;
}

/**
 * Part of a larger statement: claims the keys of the CTE `request` and stores their responses. Returns the claimed
 * keys. Changes of the statement for a request with a key must depend on its key being returned.
 */
export const CLAIM_IDEMPOTENCY_KEYS = storeAnswers(
  `select key, request_hash, response, created_at from request where key is not null and ${lockOf("key")}`,
);

const INSERT_IDEMPOTENCY_KEY = statement<object, "organization_id" | keyof NewAnswer>(
  storeAnswers(`select :key::text as key, :request_hash::bytea as request_hash, :response::text as response,
    :created_at::timestamptz as created_at`),
);

/** Stores a response; the caller holds the key's lock and found no response that has not expired. */
export async function insertIdempotencyKey(
  sql: Connection,
  organizationId: string,
  answer: NewAnswer,
): Promise<void> {
  await INSERT_IDEMPOTENCY_KEY.run(sql, { organization_id: organizationId, ...answer });
}

/** Deletes at most `limit` expired responses; returns the number of deleted rows. */
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
