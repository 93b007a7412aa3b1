import type { Connection } from "../postgres/connect.ts";

export interface NewSetupToken {
  id: string;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  /** Null: the link creates the first user. */
  user_id: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface SetupTokenRow {
  id: string;
  user_id: string | null;
  expires_at: Date;
}

export async function insertSetupToken(sql: Connection, token: NewSetupToken): Promise<void> {
  await sql`insert into setup_tokens ${sql({ ...token })}`;
}

/** Locks out other transactions that create users or setup links, and returns whether there are any. */
export async function lockSetup(sql: Connection): Promise<{ has_users: boolean; has_links: boolean }> {
  await sql`lock table setup_tokens in share row exclusive mode`;
  const [row] = await sql<[{ has_users: boolean; has_links: boolean }]>`
    select exists (select from users) as has_users, exists (select from setup_tokens) as has_links`;
  return row;
}

/** Ends the unused links of a user, or of the first user (null). */
export async function deleteUnusedSetupTokens(sql: Connection, userId: string | null): Promise<void> {
  await sql`
    delete from setup_tokens where used_at is null and user_id is not distinct from ${userId}::uuid`;
}

/** A link that is not used and has not expired; for the first user, only while there is no user. */
export async function findSetupToken(
  sql: Connection,
  { token_hash, now }: { token_hash: Buffer; now: Date },
): Promise<SetupTokenRow | null> {
  const [row] = await sql<SetupTokenRow[]>`
    select id, user_id, expires_at from setup_tokens
    where token_hash = ${token_hash} and used_at is null and expires_at > ${now}
      and (user_id is not null or not exists (select from users))`;
  return row ?? null;
}

export async function markSetupTokenUsed(
  sql: Connection,
  { id, used_at }: { id: string; used_at: Date },
): Promise<void> {
  await sql`update setup_tokens set used_at = ${used_at} where id = ${id}`;
}
