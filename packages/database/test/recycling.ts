/*
 * A database that a test is done with is emptied for the next one, with its connections. A new one takes 0.3 s of processor time to
 * create and drop, and each new connection 0.1 s more to read the catalog and plan its statements.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "../src/postgres/connect.ts";

/** A table with more rows is not emptied: the space of deleted rows would slow the next test. */
const MOST_ROWS = 1_000;
/** How often, and how long, it waits for connections that are being closed. */
const LOOKS = 20;
const LOOK_MILLISECONDS = 10;

interface State {
  /** Statements that changed the schema. */
  schema_changes: number;
  /** Transactions and locks that the test left behind. */
  unfinished: number;
}

/** Lets copies of a migrated database be recycled: they note changes of their schema, and know the rows of the original. */
export async function allowRecycling(database: Database): Promise<void> {
  await database.unsafe(`
    create schema recycling;
    create table recycling.schema_changes (tag text);
    create function recycling.note_schema_change() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_ddl_commands() where schema_name is distinct from 'pg_temp') then
        insert into recycling.schema_changes values (tg_tag);
      end if;
    end $$;
    create function recycling.note_drop() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
        insert into recycling.schema_changes values (tg_tag);
      end if;
    end $$;
    create table recycling.tables as
      select oid::regclass as name, oid, false as has_rows from pg_class
      where relkind in ('r', 'p') and not relispartition
        and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'recycling', 'pg_toast');
    do $$ declare t record; begin
      for t in select * from recycling.tables loop
        execute format('update recycling.tables set has_rows = exists (select from %s) where oid = %s', t.name, t.oid);
        execute format('create table recycling.rows_of_%s as select * from %s', t.oid, t.name);
      end loop;
    end $$;
    create event trigger recycling_changed on ddl_command_end execute function recycling.note_schema_change();
    create event trigger recycling_dropped on sql_drop execute function recycling.note_drop();`);
}

/**
 * Empties a database for the next test, unless it has another schema, many rows, or something that runs in it.
 *
 * @param name the application name of its own connections; with others, something of the test may still run
 * @returns whether it is as good as new
 */
export async function recycle(database: Database, name: string): Promise<boolean> {
  return (await othersHaveLeft(database, name)) && (await database.begin((sql) => emptyUnused(sql, name)));
}

/** Whether all connections but its own have ended, or end soon. */
async function othersHaveLeft(database: Database, name: string): Promise<boolean> {
  for (let looked = 0; looked < LOOKS; looked++) {
    const others = await database`
      select from pg_stat_activity
      where datname = current_database() and application_name <> ${name} and backend_type = 'client backend'`;
    if (others.length === 0) return true;
    await delay(LOOK_MILLISECONDS);
  }
  return false;
}

async function emptyUnused(sql: Transaction, name: string): Promise<boolean> {
  const [state] = await sql<[State]>`
    select (select count(*)::int from recycling.schema_changes) as schema_changes,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${name}
          and pid <> pg_backend_pid() and state <> 'idle')
      + (select count(*)::int from pg_locks lock join pg_database on pg_database.oid = lock.database
        where datname = current_database() and locktype = 'advisory') as unfinished`;
  return state.schema_changes + state.unfinished === 0 && (await restoreRows(sql));
}

/** Gives each table the rows of the migrated database, unless one has too many to delete. */
async function restoreRows(sql: Transaction): Promise<boolean> {
  const tables = await sql<{ name: string; oid: number; has_rows: boolean }[]>`
    select name::text, oid, has_rows from recycling.tables order by name`;
  const counted = tables.map(
    ({ name, oid }) =>
      `select ${oid}::oid as oid, (select count(*)::int from (select from ${name} limit ${MOST_ROWS + 1}) as row) as rows`,
  );
  const counts = await sql.unsafe<{ oid: number; rows: number }[]>(counted.join(" union all "));
  const filled = new Map(counts.filter(({ rows }) => rows > 0).map(({ oid, rows }) => [oid, rows]));
  if ([...filled.values()].some((rows) => rows > MOST_ROWS)) return false;
  await sql`set local session_replication_role = replica`;
  for (const { name, oid } of tables) if (filled.has(oid)) await sql.unsafe(`delete from ${name}`);
  for (const { name, oid, has_rows } of tables)
    if (has_rows)
      await sql.unsafe(`insert into ${name} overriding system value table recycling.rows_of_${oid}`);
  await sql`select setval(seqrelid::regclass, seqstart, false) from pg_sequence`;
  return true;
}
