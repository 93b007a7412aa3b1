import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { isOutsideTransaction, type Migration, readMigrations } from "../migrations.ts";
import { type Connection, type Database, transaction } from "../postgres/connect.ts";
import { isDeadlock } from "../postgres/errors.ts";
import { type Blocker, describeBlockers, watchBlockers } from "./blockers.ts";
import { insertApplied, listApplied, pendingMigrations, SchemaError } from "./check.ts";
import { adoptBaseline } from "./former-migrations.ts";
import { runOutsideTransaction } from "./outside-transaction.ts";

/** `findersf` in ASCII: the advisory lock of all processes that migrate. */
const MIGRATION_LOCK = 0x66696e6465727366n;

const OLDEST_POSTGRES = 150000;

/** How long a migration waits for the lock of a table. All others who use the table wait behind it. */
const LOCK_MILLISECONDS = 500;
const LOCK_NOT_AVAILABLE = "55P03";
/** Others use the table in between. */
const PAUSE_MILLISECONDS = 2_000;
const PATIENCE_SECONDS = 600;
/** Between two looks whether another process still migrates. */
const BUSY_MILLISECONDS = 100;

/** A migration that did not get a lock in time, and is tried again. */
export interface WaitingMigration {
  name: string;
  blockers: Blocker[];
}

export interface MigrateOptions {
  /** Called each time. */
  onWaiting?: (waiting: WaitingMigration) => void;
  /** How long a migration is tried again. */
  patience_seconds?: number;
  /** Between two attempts. */
  pause_milliseconds?: number;
}

/**
 * Migrates the schema to this build's. Each migration is applied in a transaction of its own together with its row in
 * `schema_migrations`, under an advisory lock of that transaction: this works through PgBouncer in transaction mode, and several
 * processes may migrate at once. A migration that does not get a table's lock within half a second lets others go first, and is tried
 * again. Those that say so run outside of a transaction, on a connection of their own.
 *
 * @returns the names of the applied migrations
 * @throws SchemaError when the database has other migrations than this build or another encoding than UTF-8, or when a lock was not
 * available for too long
 */
export async function migrate(
  database: Database,
  known?: Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const migrations = known ?? (await readMigrations());
  await requireSupportedPostgres(database);
  const applied: string[] = [];
  for (;;) {
    const name = await applyPatiently(database, migrations, options);
    if (name === null) return applied;
    applied.push(name);
  }
}

/** Applies the first missing migration, one process at a time; null when none is missing. */
async function applyPatiently(
  database: Database,
  migrations: Migration[],
  {
    onWaiting = () => {},
    patience_seconds = PATIENCE_SECONDS,
    pause_milliseconds = PAUSE_MILLISECONDS,
  }: MigrateOptions,
): Promise<string | null> {
  const until = performance.now() + patience_seconds * 1000;
  for (;;) {
    const attempt: Attempt = { name: null, blockers: [] };
    try {
      const applied = await applyNext(database, migrations, attempt);
      if (applied !== "busy") return applied?.name ?? null;
      await delay(BUSY_MILLISECONDS);
    } catch (error) {
      const { name, blockers } = attempt;
      if (name === null || !isLocked(error)) throw error;
      onWaiting({ name, blockers });
      if (performance.now() > until) {
        throw new SchemaError(
          `${name} did not get its locks in ${patience_seconds} s. It waited for ${describeBlockers(blockers)}. Nothing was changed: end that session, or run \`findersfee migrate\` again when it is done.`,
        );
      }
      // Random, so as not to run in step with tasks that run every few seconds.
      await delay(pause_milliseconds * (0.5 + Math.random()));
    }
  }
}

interface Applied {
  name: string;
}

/** The state of an attempt when it fails. */
interface Attempt {
  name: string | null;
  blockers: Blocker[];
}

function isLocked(error: unknown): boolean {
  const code = error instanceof postgres.PostgresError ? error.code : null;
  return code === LOCK_NOT_AVAILABLE || isDeadlock(error);
}

async function applyNext(
  database: Database,
  migrations: Migration[],
  attempt: Attempt,
): Promise<Applied | null | "busy"> {
  return await transaction(database, async (sql) => {
    // A role's time limits are meant for the service's statements, not for migrations.
    await sql`set local statement_timeout = 0`;
    await sql`set local idle_in_transaction_session_timeout = 0`;
    await sql`set local lock_timeout = 0`;
    // A statement that waits for the lock would hold back an index that is built concurrently.
    const [{ is_first }] = await sql<[{ is_first: boolean }]>`
      select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as is_first`;
    if (!is_first) return "busy";
    await sql`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now(),
        -- The oldest version that runs with it, as the number of its last migration; null: only those that know it.
        compatible_since integer
      )`;
    await addCompatibility(sql, attempt);
    await adoptBaseline(sql, await listApplied(sql), migrations);
    const [migration] = pendingMigrations(migrations, await listApplied(sql));
    if (migration === undefined) return null;
    attempt.name = migration.name;
    if (isOutsideTransaction(migration)) {
      // Ends the last statement's snapshot, which an index that is built concurrently would wait for. The advisory lock stays.
      await sql.unsafe("select");
      await runOutsideTransaction(database, migration);
    } else await runWithin(sql, { database, migration, attempt });
    await insertApplied(sql, migration);
    return { name: migration.name };
  });
}

/** Tables of older versions lack the column. All processes that become ready read the table, so this waits for nobody. */
async function addCompatibility(sql: Connection, attempt: Attempt): Promise<void> {
  const rows = await sql`
    select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'compatible_since'`;
  if (rows.length > 0) return;
  attempt.name = "schema_migrations";
  await setLockTimeout(sql);
  await sql`alter table schema_migrations add column compatible_since integer`;
}

async function setLockTimeout(sql: Connection): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(LOCK_MILLISECONDS)}, true)`;
}

async function runWithin(
  sql: Connection,
  { database, migration, attempt }: { database: Database; migration: Migration; attempt: Attempt },
): Promise<void> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  await setLockTimeout(sql);
  const watched = watchBlockers(database, pid);
  try {
    await sql.unsafe(migration.sql);
  } finally {
    attempt.blockers = await watched.finish();
  }
}

async function requireSupportedPostgres(sql: Connection): Promise<void> {
  const [server] = await sql<[{ number: number; name: string; encoding: string }]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding`;
  if (server.number < OLDEST_POSTGRES) {
    throw new SchemaError(`The database is Postgres ${server.name}; it must be 15 or newer.`);
  }
  if (server.encoding !== "UTF8") {
    throw new SchemaError(
      `The database has the encoding ${server.encoding}; it must be UTF8. Create another one with \`createdb --encoding=UTF8 --template=template0\`.`,
    );
  }
}
