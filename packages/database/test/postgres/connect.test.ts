import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, type Database, transaction } from "../../src/postgres/connect.ts";
import { waitForResult } from "../eventually.ts";
import { FaultyPostgres } from "../faults/faulty-postgres.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

const POOL = 3;

let test: TestDatabase;
let holder: TestDatabase["database"];

beforeEach(async () => {
  test = await createTestDatabase({ poolSize: POOL, migrated: false });
  holder = connect({ url: test.url, poolSize: 2, prepare: true, name: "holder" });
  await test.database`create table notes (id int primary key, text text)`;
});

afterEach(async () => {
  await holder.end({ timeout: 1 });
  await test.close();
});

/** Takes advisory lock 1 until `release` is called. */
async function holdLock() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    done = holder.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(1)`;
      resolve();
      await released;
    });
  });
  return async () => {
    release();
    await done;
  };
}

describe("a statement that waits for a lock", () => {
  it("does not delay other statements of the pool", async () => {
    const { database } = test;
    const release = await holdLock();
    const stuck = database`select pg_advisory_xact_lock(1)`.execute();
    try {
      const others = Array.from({ length: 50 }, (_, i) => database`select ${i}::int as i`.then(() => "done"));
      const late = new Promise<string>((resolve) => setTimeout(resolve, 60_000, "late"));
      expect(await Promise.race([Promise.all(others).then(() => "done"), late])).toBe("done");
    } finally {
      await release();
      await stuck;
    }
  });
});

it("isolates transactions behind any number of queued statements", async () => {
  const { database } = test;
  const ask = () => database`select 1 as one`.execute();
  const wait = () => database`select pg_advisory_xact_lock(1)`.execute();
  await Promise.all(Array.from({ length: POOL }, wait));
  await Promise.all(Array.from({ length: POOL * 20 }, ask));
  const outcomes: string[] = [];
  for (let count = 98; count <= 101; count++) {
    const release = await holdLock();
    const waiting = [...Array.from({ length: POOL }, wait), ...Array.from({ length: POOL * count }, ask)];
    const transactions = Array.from({ length: POOL }, (_, i) =>
      transaction(database, (sql) => sql`insert into notes values (${count * 10 + i}, 'transaction')`).then(
        () => "ok",
        String,
      ),
    );
    await release();
    await Promise.all(waiting);
    outcomes.push(...(await Promise.all(transactions)));
  }
  expect(outcomes.filter((outcome) => outcome !== "ok")).toEqual([]);
  for (let i = 0; i < 10; i++) await database`insert into notes values (${i}, 'alone')`;
  const [row] = await holder`select count(*)::int as count from notes`;
  expect(row?.count).toBe(10 + POOL * 4);
});

describe("a transaction with a lost connection", () => {
  let proxy: FaultyPostgres;
  let database: Database;

  beforeEach(async () => {
    proxy = await FaultyPostgres.before(test.url);
    database = connect({ url: proxy.url, poolSize: 1, prepare: true, name: "cut" });
  });

  afterEach(async () => {
    await database.end({ timeout: 1 });
    await proxy.close();
  });

  it("ends, and rejects its later statements", async () => {
    const refused: string[] = [];
    const outcome = transaction(database, async (sql) => {
      await sql`insert into notes values (1, 'before')`;
      proxy.cut();
      // The pool has replaced its only connection.
      await waitForResult(60_000, () =>
        database`select 1`.then(
          () => true,
          () => null,
        ),
      );
      for (let id = 2; id < 5; id++) {
        await sql`insert into notes values (${id}, 'after')`.catch(({ code }) => refused.push(code));
      }
    });
    await expect(outcome).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    await waitForResult(60_000, async () => (refused.length === 3 ? true : null));
    expect(refused).toEqual(Array(3).fill("CONNECTION_CLOSED"));
    expect(await test.database`select from notes`).toHaveLength(0);
  });

  it("releases its connection to the pool", async () => {
    for (let round = 0; round < 5; round++) {
      const outcome = transaction(database, async (sql) => {
        const sleeping = sql`select pg_sleep(600)`.execute();
        await waitForResult(60_000, async () => {
          const rows = await test.database`
            select from pg_stat_activity where application_name = 'cut' and wait_event = 'PgSleep'`;
          return rows.length > 0 ? true : null;
        });
        proxy.cut();
        await sleeping;
      });
      await expect(outcome).rejects.toThrow();
      const answer = waitForResult(60_000, () => database`select 1`.then(() => "answered").catch(() => null));
      const late = new Promise<string>((resolve) => setTimeout(resolve, 60_000, "late"));
      expect(await Promise.race([answer, late])).toBe("answered");
    }
  });
});
