import type { Connection } from "./postgres/connect.ts";
import type { ProcessorName } from "./processors/processors.ts";

/** Returns a known text encrypted with the database's SECRETS_KEY; null before the first start. */
export async function findKeyCheck(sql: Connection): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }[]>`select sealed from secrets_key_check`;
  return row?.sealed ?? null;
}

/** Returns it, locked until the transaction ends; null before the first start. */
export async function lockKeyCheck(sql: Connection): Promise<Buffer | null> {
  const [row] = await sql<{ sealed: Buffer }[]>`select sealed from secrets_key_check for update`;
  return row?.sealed ?? null;
}

/** Inserts it unless it exists. */
export async function insertKeyCheck(sql: Connection, sealed: Buffer): Promise<void> {
  await sql`insert into secrets_key_check (sealed) values (${sealed}) on conflict do nothing`;
}

/** Inserts or replaces it. */
export async function replaceKeyCheck(sql: Connection, sealed: Buffer): Promise<void> {
  await sql`
    insert into secrets_key_check (sealed) values (${sealed}) on conflict (one) do update set sealed = excluded.sealed`;
}

/**
 * A stored secret and its owner: a user's authenticator app, or an organization's endpoint, processor (`processor`),
 * sign-in provider (`is_provider`), or sign-ups (none of these).
 */
export interface StoredSecret {
  user_id: string | null;
  /** Null: the secret belongs to a user. */
  organization_id: string | null;
  endpoint_id: string | null;
  processor: ProcessorName | null;
  is_provider: boolean;
  sealed: Buffer;
}

/** Returns some stored secrets, at most `limit` of each kind. */
export async function listStoredSecrets(sql: Connection, limit: number): Promise<StoredSecret[]> {
  return await sql<StoredSecret[]>`
    (select null::uuid as user_id, organization_id, endpoint_id, null as processor, false as is_provider,
        secret_encrypted as sealed
      from endpoint_secrets limit ${limit})
    union all
    (select null, organization_id, null, name, false, secret_encrypted from processors
      where secret_encrypted is not null limit ${limit})
    union all
    (select null, id, null, null, false, signup_secret_encrypted from organizations
      where signup_secret_encrypted is not null limit ${limit})
    union all
    (select user_id, null, null, null, false, secret_encrypted from user_second_factors limit ${limit})
    union all
    (select null, organization_id, null, null, true, client_secret_encrypted from sign_in_providers limit ${limit})`;
}
