import type { Connection } from "../postgres/connect.ts";

export interface SecondFactorRow {
  user_id: string;
  /** AES-256-GCM under SECRETS_KEY. */
  secret_encrypted: Buffer;
  /** Null: sign-ins do not ask for a code yet. */
  confirmed_at: Date | null;
  /** The time step of the last accepted code. */
  last_step: bigint;
  /** Consecutive wrong codes. */
  failures: number;
  locked_until: Date | null;
}

/** Stores a new secret, not yet confirmed; false: the user has a confirmed one, which stays. */
export async function upsertUnconfirmedSecret(
  sql: Connection,
  factor: Pick<SecondFactorRow, "user_id" | "secret_encrypted"> & { created_at: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into user_second_factors ${sql({ ...factor })}
    on conflict (user_id) do update
    set secret_encrypted = excluded.secret_encrypted, created_at = excluded.created_at, last_step = 0, failures = 0,
      locked_until = null
    where user_second_factors.confirmed_at is null
    returning user_id`;
  return rows.length > 0;
}

/** Returns a user's authenticator app, locked until the transaction ends. */
export async function lockSecondFactor(sql: Connection, userId: string): Promise<SecondFactorRow | null> {
  const [row] = await sql<SecondFactorRow[]>`
    select user_id, secret_encrypted, confirmed_at, last_step, failures, locked_until
    from user_second_factors where user_id = ${userId} for no key update`;
  return row ?? null;
}

/** Turns the second factor on. */
export async function confirmSecondFactor(
  sql: Connection,
  userId: string,
  { step, confirmed_at }: { step: bigint; confirmed_at: Date },
): Promise<void> {
  await sql`
    update user_second_factors set confirmed_at = ${confirmed_at}, last_step = ${step}, failures = 0
    where user_id = ${userId}`;
  await sql`update users set two_factor_enabled = true, updated_at = ${confirmed_at} where id = ${userId}`;
}

/** Records a correct code: an app's by its time step, or a recovery code. */
export async function recordSecondFactorUse(
  sql: Connection,
  userId: string,
  { step }: { step: bigint | null },
): Promise<void> {
  await sql`
    update user_second_factors set last_step = coalesce(${step}::bigint, last_step), failures = 0, locked_until = null
    where user_id = ${userId}`;
}

/** Records a wrong code, and the lock that it causes (null: none). */
export async function countSecondFactorFailure(
  sql: Connection,
  userId: string,
  { locked_until }: { locked_until: Date | null },
): Promise<void> {
  await sql`
    update user_second_factors
    set failures = failures + 1, locked_until = coalesce(${locked_until}::timestamptz, locked_until)
    where user_id = ${userId}`;
}

/** Turns the second factor off, and deletes its recovery codes. */
export async function deleteSecondFactor(sql: Connection, userId: string): Promise<void> {
  await sql`delete from user_second_factors where user_id = ${userId}`;
  await sql`delete from user_recovery_codes where user_id = ${userId}`;
  await sql`update users set two_factor_enabled = false where id = ${userId}`;
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(
  sql: Connection,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`delete from user_recovery_codes where user_id = ${userId}`;
  await sql`
    insert into user_recovery_codes ${sql(hashes.map((code_hash) => ({ user_id: userId, code_hash })))}`;
}

/** Uses a recovery code up; false: the user has no such code. */
export async function deleteRecoveryCode(sql: Connection, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await sql`
    delete from user_recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`;
  return rows.length > 0;
}

export interface CredentialsRow {
  email_verified: boolean;
  has_password: boolean;
  has_second_factor: boolean;
  has_passkey: boolean;
  recovery_codes_left: number;
}

/** Returns how a user can sign in. */
export async function findCredentials(sql: Connection, userId: string): Promise<CredentialsRow | null> {
  const [row] = await sql<CredentialsRow[]>`
    select users.email_verified,
      exists (select from user_passwords where user_id = users.id) as has_password,
      users.two_factor_enabled as has_second_factor,
      exists (select from user_passkeys where user_id = users.id) as has_passkey,
      (select count(*)::int from user_recovery_codes where user_id = users.id) as recovery_codes_left
    from users where id = ${userId}`;
  return row ?? null;
}
