import type { Connection } from "./postgres/connect.ts";

/** Every column with secrets that SECRETS_KEY encrypts, and the primary key of its table. */
export const SECRET_PLACES = {
  endpoint_secret: {
    table: "endpoint_secrets",
    column: "secret_encrypted",
    key: ["organization_id", "endpoint_id", "id"],
  },
  endpoint_headers: {
    table: "endpoints",
    column: "custom_headers_encrypted",
    key: ["organization_id", "id"],
  },
  processor_secret: { table: "processors", column: "secret_encrypted", key: ["organization_id", "name"] },
  former_processor_secret: {
    table: "processors",
    column: "previous_secret_encrypted",
    key: ["organization_id", "name"],
  },
  processor_api_key: { table: "processors", column: "api_key_encrypted", key: ["organization_id", "name"] },
  signup_secret: { table: "organizations", column: "signup_secret_encrypted", key: ["id"] },
  former_signup_secret: { table: "organizations", column: "previous_signup_secret_encrypted", key: ["id"] },
  sign_in_provider: {
    table: "sign_in_providers",
    column: "client_secret_encrypted",
    key: ["organization_id"],
  },
  second_factor: { table: "user_second_factors", column: "secret_encrypted", key: ["user_id"] },
} as const satisfies Record<string, { table: string; column: string; key: readonly string[] }>;

export type SecretPlace = keyof typeof SECRET_PLACES;

/** A stored secret, with the values of its row's primary key. */
export interface PlacedSecret {
  key: string[];
  sealed: Buffer;
}

/** Returns the secrets of one column after this primary key (null: from the first), in the order of it. */
export async function listPlacedSecrets(
  sql: Connection,
  place: SecretPlace,
  { after, limit }: { after: readonly string[] | null; limit: number },
): Promise<PlacedSecret[]> {
  const { table, column, key } = SECRET_PLACES[place];
  const columns = joined(
    sql,
    key.map((name) => sql`${sql(name)}`),
  );
  const isAfter =
    after === null
      ? sql``
      : sql`and (${columns}) > (${joined(
          sql,
          after.map((value) => sql`${value}`),
        )})`;
  const rows = await sql`
    select ${columns}, ${sql(column)} as sealed from ${sql(table)}
    where ${sql(column)} is not null ${isAfter} order by ${columns} limit ${limit}`;
  return rows.map((row) => ({ key: key.map((name) => String(row[name])), sealed: row.sealed as Buffer }));
}

/** Replaces a secret unless it was changed or deleted since it was read; returns whether it did. */
export async function replacePlacedSecret(
  sql: Connection,
  place: SecretPlace,
  { key, sealed, replacement }: PlacedSecret & { replacement: Buffer },
): Promise<boolean> {
  const { table, column, key: names } = SECRET_PLACES[place];
  const { count } = await sql`
    update ${sql(table)} set ${sql(column)} = ${replacement}
    where ${isRow(sql, { names, key })} and ${sql(column)} = ${sealed}`;
  return count > 0;
}

/** The places that may be empty, and the columns that are empty then, too. */
const CLEARED = {
  endpoint_headers: { custom_headers_encrypted: null, custom_headers: [] },
  former_processor_secret: { previous_secret_encrypted: null, previous_secret_expires_at: null },
  processor_api_key: { api_key_encrypted: null, api_key_last_four: null },
  signup_secret: { signup_secret_encrypted: null },
  former_signup_secret: { previous_signup_secret_encrypted: null, previous_signup_secret_expires_at: null },
} as const;

/** A place that may be empty. */
export type ClearablePlace = keyof typeof CLEARED;

/** Whether a place may be empty. */
export function isClearable(place: SecretPlace): place is ClearablePlace {
  return place in CLEARED;
}

/** Removes a secret unless it was changed or deleted since it was read. */
export async function clearPlacedSecret(
  sql: Connection,
  place: ClearablePlace,
  { key, sealed }: PlacedSecret,
): Promise<void> {
  const { table, column, key: names } = SECRET_PLACES[place];
  const cleared: Record<string, null | readonly []> = CLEARED[place];
  const sets = Object.entries(cleared).map(([name, value]) =>
    value === null ? sql`${sql(name)} = null` : sql`${sql(name)} = '[]'`,
  );
  await sql`
    update ${sql(table)} set ${joined(sql, sets)}
    where ${isRow(sql, { names, key })} and ${sql(column)} = ${sealed}`;
}

/** Lets members sign in without their organization's provider. */
export async function makeProviderOptional(sql: Connection, organization_id: string): Promise<void> {
  await sql`update sign_in_providers set is_required = false where organization_id = ${organization_id}`;
}

function isRow(
  sql: Connection,
  { names, key }: { names: readonly string[]; key: readonly string[] },
): Fragment {
  return names
    .map((name, index) => sql`${sql(name)} = ${key[index] ?? ""}`)
    .reduce((all, part) => sql`${all} and ${part}`);
}

type Fragment = ReturnType<Connection["unsafe"]>;

function joined(sql: Connection, parts: Fragment[]): Fragment {
  return parts.reduce((all, part) => sql`${all}, ${part}`);
}
