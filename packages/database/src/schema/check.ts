import { compatibleSince, type Migration, readMigrations } from "../migrations.ts";
import type { Connection } from "../postgres/connect.ts";
import { type AppliedMigration, formerRemedy } from "./former-migrations.ts";

/** The database's schema does not match this build. The message has a remedy. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** The database lacks migrations of this build: `findersfee migrate` makes it match. */
export class PendingMigrationsError extends SchemaError {}

/** How a database's schema compares with a build that can use it. */
export interface SchemaState {
  /** Migrations of newer versions, which this build runs with. */
  newer: string[];
}

/**
 * Resolves when this build can use the database: it has all of the build's migrations, and of newer ones only those that the build
 * runs with (see `compatibleSince`).
 *
 * @throws PendingMigrationsError when migrations are missing
 * @throws SchemaError when it has migrations that the build does not run with
 */
export async function checkSchema(database: Connection, known?: Migration[]): Promise<SchemaState> {
  const build = known ?? (await readMigrations());
  const applied = await listApplied(database);
  const pending = pendingMigrations(build, applied);
  if (pending.length > 0) {
    const names = pending.map((migration) => migration.name).join(", ");
    throw new PendingMigrationsError(
      `The database lacks the migrations ${names}: run \`findersfee migrate\`.`,
    );
  }
  return { newer: applied.slice(build.length).map(({ name }) => name) };
}

/** How many migrations of this build the database lacks, and how many newer ones it has. */
export async function countMigrations(database: Connection): Promise<{ pending: number; newer: number }> {
  const build = await readMigrations();
  const { length } = await listApplied(database);
  return { pending: Math.max(0, build.length - length), newer: Math.max(0, length - build.length) };
}

/** Returns the migrations that the database lacks. Any other difference is an error, except newer ones that the build runs with. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const remedy = formerRemedy(applied);
  if (remedy !== null) throw new SchemaError(remedy);
  requireSameNames(known, applied);
  const refused = applied.filter(
    ({ number, compatible_since }) => number > known.length && (compatible_since ?? number) > known.length,
  );
  if (refused.length > 0) {
    const names = refused.map(({ name }) => name).join(", ");
    throw new SchemaError(
      `The database has the migrations ${names}, which this version does not know: start the version that made them, or a newer one.`,
    );
  }
  for (const [index, { name, checksum }] of applied.slice(0, known.length).entries()) {
    if (known[index]?.checksum !== checksum) {
      throw new SchemaError(
        `The migration ${name} of the database differs from this version's: a migration must not be edited once it has been applied; put its file back and add a new one.`,
      );
    }
  }
  return known.slice(applied.length);
}

/** A database of another branch, or of an older baseline, has other migrations. There is no upgrade from it. */
function requireSameNames(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const [index, { name }] of applied.entries()) {
    const own = known[index];
    if (own === undefined || own.name === name) continue;
    throw new SchemaError(
      `The database has the migration ${name} where this version has ${own.name}: it cannot be upgraded. Create an empty database and set DATABASE_URL to it (with the embedded Postgres: set DATA_DIR to an empty folder), or start the version that created this one.`,
    );
  }
}

/** The migrations of a database, in order. */
export async function listApplied(sql: Connection): Promise<AppliedMigration[]> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`
    select to_regclass('schema_migrations') is not null as exists`;
  if (!exists) return [];
  // Databases of older versions lack the column.
  return await sql<AppliedMigration[]>`
    select number, name, checksum, (to_jsonb(migration) ->> 'compatible_since')::int as compatible_since
    from schema_migrations migration order by number`;
}

/** Records that a migration was applied. */
export async function insertApplied(sql: Connection, migration: Migration): Promise<void> {
  const { number, name, checksum } = migration;
  await sql`
    insert into schema_migrations (number, name, checksum, compatible_since)
    values (${number}, ${name}, ${checksum}, ${compatibleSince(migration)})`;
}
