import { expect, onTestFinished } from "vitest";
import type { Connection, Database } from "../src/postgres/connect.ts";

/** A transaction that stays open until `commit` or `rollBack`; a second call does nothing. */
export interface HeldTransaction {
  sql: Connection;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/**
 * Opens a transaction and hands it over, as another process of the service would hold one. A test that failed leaves none: all
 * feeds of the server's databases wait for open transactions.
 */
export async function holdTransaction(database: Database): Promise<HeldTransaction> {
  const rolled_back = new Error("rolled back on purpose");
  let end: (error: Error | null) => void = () => {};
  const ending = new Promise<void>((resolve, reject) => {
    end = (error) => (error === null ? resolve() : reject(error));
  });
  let ended: Promise<unknown> = Promise.resolve();
  const sql = await new Promise<Connection>((resolve, reject) => {
    ended = database
      .begin(async (transaction) => {
        resolve(transaction);
        await ending;
      })
      .catch((error: unknown) => {
        if (error !== rolled_back) throw error;
      });
    ended.catch(reject);
  });
  onTestFinished(async () => {
    end(rolled_back);
    await Promise.allSettled([ended]);
  });
  const finish = async (error: Error | null) => {
    end(error);
    await ended;
  };
  return { sql, commit: () => finish(null), rollBack: () => finish(rolled_back) };
}

/** Waits until this many statements of the test's database wait for a lock. */
export async function awaitWaiting(database: Database, count = 1): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await database<[{ waiting: number }]>`
          select count(distinct pid)::int as waiting from pg_locks
          where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`;
      return row.waiting;
    })
    .toBeGreaterThanOrEqual(count);
}

/**
 * Lets `work` run while every commit fails that writes to one of these tables: at the transaction's very
 * end, when all that it writes is written.
 */
export async function refuseCommits(
  database: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  await database`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`;
  try {
    for (const table of tables) {
      await database`
        create constraint trigger refuse after insert or update on ${database(table)}
          deferrable initially deferred for each row execute function refuse()`;
    }
    await work();
  } finally {
    await database`drop function refuse cascade`;
  }
}
