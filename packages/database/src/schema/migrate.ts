import { type Migration, readMigrations } from "../migrations.ts";
import { type Connection, type Database, transaction } from "../postgres/connect.ts";
import { type AppliedMigration, adoptBaseline, formerRemedy } from "./former-migrations.ts";

/** The database's schema does not match this build. The message has a remedy. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** `findersf` in ASCII: the advisory lock of all processes that migrate. */
const MIGRATION_LOCK = 0x66696e6465727366n;

const OLDEST_POSTGRES = 150000;

/**
 * Migrates the schema to this build's. Each migration is applied in a transaction of its own together with
 * its row in `schema_migrations`, under an advisory lock of that transaction: this works
 * through PgBouncer in transaction mode, and several processes may migrate at once.
 *
 * @returns the names of the applied migrations
 * @throws SchemaError when the database has other migrations than this build
 */
export async function migrate(database: Database, known?: Migration[]): Promise<string[]> {
  const migrations = known ?? (await readMigrations());
  await requireSupportedPostgres(database);
  const applied: string[] = [];
  for (;;) {
    const name = await transaction(database, (sql) => applyNext(sql, migrations));
    if (name === null) return applied;
    applied.push(name);
  }
}

/**
 * Resolves when the database has exactly this build's migrations.
 *
 * @throws SchemaError otherwise
 */
export async function checkSchema(database: Database, known?: Migration[]): Promise<void> {
  const pending = pendingMigrations(known ?? (await readMigrations()), await listApplied(database));
  if (pending.length > 0) {
    const names = pending.map((migration) => migration.name).join(", ");
    throw new SchemaError(`The database lacks the migrations ${names}: run \`findersfee migrate\`.`);
  }
}

/** Applies the first missing migration; null when none is missing. */
async function applyNext(sql: Connection, migrations: Migration[]): Promise<string | null> {
  // A role's time limit is meant for the service's statements, not for migrations.
  await sql`set local statement_timeout = 0`;
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
  await sql`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  await adoptBaseline(sql, await listApplied(sql), migrations);
  const [migration] = pendingMigrations(migrations, await listApplied(sql));
  if (migration === undefined) return null;
  await sql.unsafe(migration.sql);
  await sql`
    insert into schema_migrations (number, name, checksum)
    values (${migration.number}, ${migration.name}, ${migration.checksum})`;
  return migration.name;
}

/** Returns the migrations that the database lacks. Any other difference is an error. */
function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  const remedy = formerRemedy(applied);
  if (remedy !== null) throw new SchemaError(remedy);
  requireSameNames(known, applied);
  const unknown = applied.filter(({ number }) => number > known.length);
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name).join(", ");
    throw new SchemaError(
      `The database has the migrations ${names}, which this version does not know: start the version that made them, or a newer one.`,
    );
  }
  for (const [index, { name, checksum }] of applied.entries()) {
    if (known[index]?.checksum !== checksum) {
      throw new SchemaError(
        `The migration ${name} of the database differs from this version's: a migration must not be edited once it has been applied; put its file back and add a new one.`,
      );
    }
  }
  return known.slice(applied.length);
}

/** A database of another branch, or of an older baseline, has other migrations. There is no upgrade from it. */
function requireSameNames(known: Migration[], applied: AppliedMigration[]): void {
  for (const [index, { name }] of applied.entries()) {
    const own = known[index];
    if (own === undefined || own.name === name) continue;
    throw new SchemaError(
      `The database has the migration ${name} where this version has ${own.name}: it cannot be upgraded. Create an empty database and set DATABASE_URL to it (with the embedded Postgres: set DATA_DIR to an empty folder), or start the version that created this one.`,
    );
  }
}

async function listApplied(sql: Connection): Promise<AppliedMigration[]> {
  const [{ exists }] = await sql<[{ exists: boolean }]>`
    select to_regclass('schema_migrations') is not null as exists`;
  if (!exists) return [];
  return await sql<AppliedMigration[]>`
    select number, name, checksum from schema_migrations order by number`;
}

async function requireSupportedPostgres(sql: Connection): Promise<void> {
  const [server] = await sql<[{ number: number; name: string }]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`;
  if (server.number < OLDEST_POSTGRES) {
    throw new SchemaError(`The database is Postgres ${server.name}; it must be 15 or newer.`);
  }
}
