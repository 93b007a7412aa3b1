import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect, type Database, type Transaction, transaction } from "../src/postgres/connect.ts";
import { FULL_TESTS } from "./full-tests.ts";
import { recycle } from "./recycling.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run, the migrated databases on it to be copied, and the prefix of the copies' names. */
    test_server: { url: string; template: string; unpartitioned: string; copies: string };
    /** Whether files share a process, and databases that are done with can serve the next one. */
    files_share_process: boolean;
  }
}

export interface TestDatabase {
  database: Database;
  url: string;
  /** Closes the pool and drops the database, or leaves them to the next test that wants one. */
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  poolSize?: number;
  /** False: a database without any table of ours. */
  migrated?: boolean;
  /** False: tables without the partitions of today and the next days or months, which a worker creates. */
  partitioned?: boolean;
  /** True: tables without statistics, which no test has used before. */
  fresh?: boolean;
}

interface Kept {
  name: string;
  database: Database;
  url: string;
}

/** Empty databases that tests are done with. */
const kept: Kept[] = [];
const MOST_KEPT = 2;
/** Each connection plans the statements that it sends. */
const POOL_SIZE = 4;
/**
 * Postgres plans a statement for the values of each of its first five calls, which took a seventh of its processor time: tests of few
 * rows need one plan for all values. The full form has its own choice.
 */
const PLAN_ONCE = FULL_TESTS ? null : "plan_cache_mode = force_generic_plan";

/** A database of the test file's own. */
export async function createTestDatabase({
  poolSize = POOL_SIZE,
  migrated = true,
  partitioned = true,
  fresh = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject("test_server");
  const is_usual =
    poolSize === POOL_SIZE && migrated && partitioned && !fresh && inject("files_share_process");
  const former = is_usual ? kept.pop() : undefined;
  if (former !== undefined) return { ...former, close: () => keepOrDrop(former) };
  const name = `${server.copies}${randomBytes(8).toString("hex")}`;
  const template = !migrated ? "template0" : partitioned ? server.template : server.unpartitioned;
  await administer(server.url, async (sql) => {
    await sql.unsafe(`create database ${name} template ${template}`);
    if (is_usual && PLAN_ONCE !== null) await sql.unsafe(`alter database ${name} set ${PLAN_ONCE}`);
  });
  const url = databaseUrl(server.url, name);
  const database = connect({ url, poolSize, prepare: true, name });
  const created = { name, database, url };
  return { database, url, close: () => (is_usual ? keepOrDrop(created) : drop(created)) };
}

async function keepOrDrop(done: Kept): Promise<void> {
  // A test may have ended the pool, or cut its connections: such a database is dropped.
  const is_empty = kept.length < MOST_KEPT && (await recycle(done.database, done.name).catch(() => false));
  if (is_empty) kept.push(done);
  else await drop(done);
}

async function drop({ database, name }: Kept): Promise<void> {
  await database.end({ timeout: 5 });
  await administer(inject("test_server").url, (sql) => sql.unsafe(`drop database ${name} with (force)`));
}

/** Runs `work` in a transaction in which no trigger fires and no key is checked: for rows that nobody could make. */
export async function withoutTriggers<Result>(
  database: Database,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  return await transaction(database, async (sql) => {
    await sql`set local session_replication_role = replica`;
    return await work(sql);
  });
}

/** The address of another database on the same server. */
export function databaseUrl(server_url: string, name: string): string {
  const url = new URL(server_url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs `work` on a connection of its own. */
export async function administer(url: string, work: (sql: Database) => PromiseLike<unknown>): Promise<void> {
  const sql = connect({ url, poolSize: 1, prepare: true, name: "findersfee test administration" });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
