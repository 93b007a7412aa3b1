import type { Connection } from "../postgres/connect.ts";

export interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  /** base64url. */
  credential_id: string;
  public_key: Buffer;
  counter: bigint;
  transports: string[];
  is_backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** False: the credential is already registered. */
export async function insertPasskey(
  sql: Connection,
  { transports, ...passkey }: Omit<PasskeyRow, "last_used_at">,
): Promise<boolean> {
  const { id, user_id, name, credential_id, public_key, counter, is_backed_up, created_at } = passkey;
  const rows = await sql`
    insert into user_passkeys
      (id, user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at)
    values (${id}, ${user_id}, ${name}, ${credential_id}, ${public_key}, ${counter}, ${transports}::text[],
      ${is_backed_up}, ${created_at})
    on conflict (credential_id) do nothing returning id`;
  return rows.length > 0;
}

/** A user's passkeys, oldest first. A person adds each one, and an operation limits their number. */
export async function listPasskeys(sql: Connection, userId: string): Promise<PasskeyRow[]> {
  return await sql<PasskeyRow[]>`
    select id, user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at, last_used_at
    from user_passkeys where user_id = ${userId} order by id`;
}

/** Returns the passkey of a user who may sign in, locked until the transaction ends. */
export async function lockPasskeyByCredential(
  sql: Connection,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const [row] = await sql<PasskeyRow[]>`
    select passkey.id, passkey.user_id, passkey.name, passkey.credential_id, passkey.public_key, passkey.counter,
      passkey.transports, passkey.is_backed_up, passkey.created_at, passkey.last_used_at
    from user_passkeys passkey join users on users.id = passkey.user_id
    where passkey.credential_id = ${credentialId} and users.disabled_at is null
    for no key update of passkey, users`;
  return row ?? null;
}

export async function recordPasskeyUse(
  sql: Connection,
  {
    id,
    counter,
    is_backed_up,
    used_at,
  }: Pick<PasskeyRow, "id" | "counter" | "is_backed_up"> & { used_at: Date },
): Promise<void> {
  await sql`
    update user_passkeys set counter = ${counter}, is_backed_up = ${is_backed_up}, last_used_at = ${used_at}
    where id = ${id}`;
}

/** Null: the user has no such passkey. */
export async function renamePasskey(
  sql: Connection,
  userId: string,
  { id, name }: Pick<PasskeyRow, "id" | "name">,
): Promise<PasskeyRow | null> {
  const [row] = await sql<PasskeyRow[]>`
    update user_passkeys set name = ${name} where user_id = ${userId} and id = ${id}
    returning id, user_id, name, credential_id, public_key, counter, transports, is_backed_up, created_at, last_used_at`;
  return row ?? null;
}

/** Returns the name of the deleted passkey; null: the user has no such passkey. */
export async function deletePasskey(sql: Connection, userId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    delete from user_passkeys where user_id = ${userId} and id = ${id} returning name`;
  return row?.name ?? null;
}

export async function deleteUserPasskeys(sql: Connection, userId: string): Promise<void> {
  await sql`delete from user_passkeys where user_id = ${userId}`;
}

/** Marks a challenge as used; false: it was used before. */
export async function insertUsedChallenge(
  sql: Connection,
  { challenge_hash, expires_at }: { challenge_hash: Buffer; expires_at: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into used_passkey_challenges (challenge_hash, expires_at) values (${challenge_hash}, ${expires_at})
    on conflict (challenge_hash) do nothing returning 1`;
  return rows.length > 0;
}
