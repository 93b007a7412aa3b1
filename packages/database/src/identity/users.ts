import type { Connection } from "../postgres/connect.ts";

export interface UserRow {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  two_factor_enabled: boolean;
}

export interface UserPreferencesRow {
  theme: "system" | "light" | "dark";
  /** Whether single keys are shortcuts. */
  shortcuts: boolean;
  /** How dates are written. */
  dates: "browser" | "month_first" | "day_first";
  /** The columns that the person chose, by list. */
  list_columns: Record<string, string[]>;
}

export async function insertUser(
  sql: Connection,
  user: Pick<UserRow, "id" | "name" | "email"> & { email_verified: boolean; created_at: Date },
): Promise<void> {
  await sql`insert into users ${sql({ ...user, updated_at: user.created_at })}`;
}

export async function findUser(sql: Connection, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select id, name, email, two_factor_enabled from users where id = ${id}`;
  return row ?? null;
}

/** Null: the person has changed none. */
export async function findUserPreferences(
  sql: Connection,
  userId: string,
): Promise<UserPreferencesRow | null> {
  const [row] = await sql<UserPreferencesRow[]>`
    select theme, shortcuts, dates, list_columns from user_preferences where user_id = ${userId}`;
  return row ?? null;
}

/** Null keeps a preference as it is, or takes its default. */
export async function upsertUserPreferences(
  sql: Connection,
  userId: string,
  {
    theme,
    shortcuts,
    dates,
    list_columns,
  }: { [Name in keyof UserPreferencesRow]: UserPreferencesRow[Name] | null },
): Promise<UserPreferencesRow> {
  const columns = list_columns === null ? null : JSON.stringify(list_columns);
  const [row] = await sql<[UserPreferencesRow]>`
    insert into user_preferences as stored (user_id, theme, shortcuts, dates, list_columns)
    values (${userId}, coalesce(${theme}, 'system'), coalesce(${shortcuts}::boolean, true),
      coalesce(${dates}, 'browser'), coalesce(${columns}::text::jsonb, '{}'))
    on conflict (user_id) do update set
      theme = coalesce(${theme}, stored.theme),
      shortcuts = coalesce(${shortcuts}::boolean, stored.shortcuts),
      dates = coalesce(${dates}, stored.dates),
      list_columns = coalesce(${columns}::text::jsonb, stored.list_columns)
    returning theme, shortcuts, dates, list_columns`;
  return row;
}

/** A user, as the operator lists users. */
export interface ListedUserRow extends UserRow {
  email_verified: boolean;
  disabled_at: Date | null;
  created_at: Date;
}

/** Users in the order of their creation, after the one with the id `after`. */
export async function listUsers(
  sql: Connection,
  { after, limit }: { after: string | null; limit: number },
): Promise<ListedUserRow[]> {
  return await sql<ListedUserRow[]>`
    select id, name, email, two_factor_enabled, email_verified, disabled_at, created_at from users
    where ${after}::uuid is null or id > ${after}
    order by id limit ${limit}`;
}

/** Returns the user with this address, locked until the transaction ends. */
export async function lockUserByEmail(sql: Connection, email: string): Promise<ListedUserRow | null> {
  const [row] = await sql<ListedUserRow[]>`
    select id, name, email, two_factor_enabled, email_verified, disabled_at, created_at from users
    where email = ${email} for no key update`;
  return row ?? null;
}

/** Returns a user, locked until the transaction ends. */
export async function lockUser(sql: Connection, id: string): Promise<ListedUserRow | null> {
  const [row] = await sql<ListedUserRow[]>`
    select id, name, email, two_factor_enabled, email_verified, disabled_at, created_at from users
    where id = ${id} for no key update`;
  return row ?? null;
}

export async function updateUserName(
  sql: Connection,
  { id, name, updated_at }: Pick<UserRow, "id" | "name"> & { updated_at: Date },
): Promise<void> {
  await sql`update users set name = ${name}, updated_at = ${updated_at} where id = ${id}`;
}

export async function markEmailVerified(
  sql: Connection,
  { id, updated_at }: Pick<UserRow, "id"> & { updated_at: Date },
): Promise<void> {
  await sql`update users set email_verified = true, updated_at = ${updated_at} where id = ${id}`;
}

/** Disables a user, or enables them again (null). */
export async function updateUserDisabled(
  sql: Connection,
  { id, disabled_at, updated_at }: Pick<ListedUserRow, "id" | "disabled_at"> & { updated_at: Date },
): Promise<void> {
  await sql`update users set disabled_at = ${disabled_at}, updated_at = ${updated_at} where id = ${id}`;
}
