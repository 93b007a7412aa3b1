import type { Connection } from "../postgres/connect.ts";

export interface PasswordRow {
  user_id: string;
  /** scrypt, with its parameters and its salt. */
  password_hash: string;
}

/** The password of the user with this address; null: nobody who may sign in has it, or that user has no password. */
export async function findPasswordByEmail(sql: Connection, email: string): Promise<PasswordRow | null> {
  const [row] = await sql<PasswordRow[]>`
    select users.id as user_id, password.password_hash
    from users join user_passwords password on password.user_id = users.id
    where users.email = ${email} and users.disabled_at is null`;
  return row ?? null;
}

/** Returns the hash of a user's password; null: the user has none. */
export async function findPasswordHash(sql: Connection, userId: string): Promise<string | null> {
  const [row] = await sql<{ password_hash: string }[]>`
    select password_hash from user_passwords where user_id = ${userId}`;
  return row?.password_hash ?? null;
}

export async function upsertPassword(
  sql: Connection,
  password: Pick<PasswordRow, "user_id" | "password_hash"> & { updated_at: Date },
): Promise<void> {
  const { password_hash, updated_at } = password;
  await sql`
    insert into user_passwords ${sql({ ...password })}
    on conflict (user_id) do update set password_hash = ${password_hash}, updated_at = ${updated_at}`;
}

export async function deletePassword(sql: Connection, userId: string): Promise<void> {
  await sql`delete from user_passwords where user_id = ${userId}`;
}
