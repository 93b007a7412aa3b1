import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect, type Database, type Transaction, transaction } from "../src/postgres/connect.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run, the migrated databases on it to be copied, and the prefix of the copies' names. */
    test_server: { url: string; template: string; unpartitioned: string; copies: string };
  }
}

export interface TestDatabase {
  database: Database;
  url: string;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  poolSize?: number;
  /** False: a database without any table of ours. */
  migrated?: boolean;
  /** False: tables without the partitions of today and the next days or months, which a worker creates. */
  partitioned?: boolean;
}

/** A database of the test file's own. */
export async function createTestDatabase({
  poolSize = 10,
  migrated = true,
  partitioned = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject("test_server");
  const name = `${server.copies}${randomBytes(8).toString("hex")}`;
  const template = !migrated ? "template0" : partitioned ? server.template : server.unpartitioned;
  await administer(server.url, (sql) => sql.unsafe(`create database ${name} template ${template}`));
  const url = databaseUrl(server.url, name);
  const database = connect({ url, poolSize, prepare: true, name });
  return {
    database,
    url,
    close: async () => {
      await database.end({ timeout: 5 });
      await administer(server.url, (sql) => sql.unsafe(`drop database ${name} with (force)`));
    },
  };
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
