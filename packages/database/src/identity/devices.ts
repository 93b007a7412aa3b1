import type { Connection } from "../postgres/connect.ts";

/** A browser that signed in to a user's account. */
export interface DeviceKey {
  user_id: string;
  /** SHA-256 of the user's id and the token of the browser's cookie. */
  token_hash: Buffer;
}

/** Takes one of a device's consecutive guesses; false: it has none, or is not known. */
export async function takeDeviceGuess(
  sql: Connection,
  { user_id, token_hash }: DeviceKey,
  { now, allowed }: { now: Date; allowed: number },
): Promise<boolean> {
  const rows = await sql`
    update user_devices set failures = failures + 1
    where user_id = ${user_id} and token_hash = ${token_hash} and failures < ${allowed}::int and expires_at > ${now}
    returning 1`;
  return rows.length > 0;
}

/** Gives one guess back, which was never compared. */
export async function returnDeviceGuess(sql: Connection, { user_id, token_hash }: DeviceKey): Promise<void> {
  await sql`
    update user_devices set failures = greatest(failures - 1, 0)
    where user_id = ${user_id} and token_hash = ${token_hash}`;
}

/** Gives a device all guesses: its person typed the right password. */
export async function resetDeviceGuesses(sql: Connection, { user_id, token_hash }: DeviceKey): Promise<void> {
  await sql`update user_devices set failures = 0 where user_id = ${user_id} and token_hash = ${token_hash}`;
}

/**
 * Stores that a device was used, with all guesses. Returns true if it was not known. The user keeps the
 * `most` devices that were used last.
 */
export async function upsertDevice(
  sql: Connection,
  { user_id, token_hash }: DeviceKey,
  { now, expires_at, most }: { now: Date; expires_at: Date; most: number },
): Promise<boolean> {
  const [known] = await sql<{ is_known: boolean }[]>`
    select expires_at > ${now} as is_known from user_devices
    where user_id = ${user_id} and token_hash = ${token_hash}`;
  await sql`
    insert into user_devices (user_id, token_hash, created_at, used_at, expires_at)
    values (${user_id}, ${token_hash}, ${now}, ${now}, ${expires_at})
    on conflict (user_id, token_hash) do update set failures = 0, used_at = ${now}, expires_at = ${expires_at}`;
  await sql`
    delete from user_devices where user_id = ${user_id} and token_hash in (
      select token_hash from user_devices where user_id = ${user_id} order by used_at desc, token_hash offset ${most})`;
  return known?.is_known !== true;
}

/** Forgets all devices of a user. */
export async function deleteUserDevices(sql: Connection, userId: string): Promise<void> {
  await sql`delete from user_devices where user_id = ${userId}`;
}
