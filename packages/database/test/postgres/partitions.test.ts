import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, type Database, type TimeLimits, transaction } from "../../src/postgres/connect.ts";
import {
  ATTEMPTS,
  dropPartitions,
  hasPartition,
  makePartitions,
  type PartitionedTable,
} from "../../src/postgres/partitions.ts";
import { LOST_ANSWERS } from "../faults/each-call.ts";
import { FaultyPostgres, failNth } from "../faults/faulty-postgres.ts";
import { FULL_TESTS } from "../full-tests.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { PgBouncer, pgbouncerVersion } from "./pgbouncer.ts";

const TABLE: PartitionedTable = { ...ATTEMPTS, ahead: 2 };
const NOW = new Date("2026-11-22T12:00:00Z");
const BEFORE = new Date("2026-11-20T12:00:00Z");
const OLD = ["attempts_2026_11_17", "attempts_2026_11_18", "attempts_2026_11_19"];
const KEPT = ["attempts_2026_11_20", "attempts_2026_11_21", "attempts_2026_11_22"];
const AHEAD = ["attempts_2026_11_23", "attempts_2026_11_24"];
/** Longer than any statement takes on a busy machine, unless it waits for a lock. */
const LIMIT_SECONDS = 4;
const LIMITS: TimeLimits = {
  statement_seconds: LIMIT_SECONDS,
  long_statement_seconds: LIMIT_SECONDS,
  session: { statement_timeout: LIMIT_SECONDS * 1000 },
};

let test: TestDatabase;
/** Statements that end within the limit. */
let limited: Database;
const closed: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ partitioned: false });
  limited = open(test.url);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

function open(url: string, { prepare = true, limits = LIMITS } = {}): Database {
  const database = connect({ url, poolSize: 4, prepare, name: "partitions", limits });
  closed.push(() => database.end({ timeout: 1 }));
  return database;
}

/** Makes the partitions of these days in November, as earlier runs left them, with an attempt each. */
async function makeDays(days: number[]): Promise<void> {
  for (const day of days) {
    const [from, to] = [day, day + 1].map((date) => `2026-11-${date} 00:00:00+00`);
    await test.database.unsafe(
      `create table attempts_2026_11_${day} partition of attempts for values from ('${from}') to ('${to}')`,
    );
    await insertAttempt(new Date(`2026-11-${day}T00:00:00Z`));
  }
}

async function insertAttempt(at: Date, database: Database = limited): Promise<void> {
  await database`
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, response)
    values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), ${at}, 1, 5, '')`;
}

async function attached(): Promise<string[]> {
  const rows = await test.database<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'attempts'::regclass and not inhdetachpending order by 1`;
  return rows.map(({ name }) => name);
}

/** All tables of attempts, attached or not. */
async function tables(): Promise<string[]> {
  const rows = await test.database<{ name: string }[]>`
    select relname as name from pg_class where relname ~ '^attempts_[0-9_]+$' and relkind = 'r' order by 1`;
  return rows.map(({ name }) => name);
}

/** Reads the table in a transaction that stays open until the returned function is called, as pg_dump's does. */
async function openReader(): Promise<() => Promise<void>> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let reading: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    reading = test.database.begin("isolation level repeatable read", async (sql) => {
      await sql`select count(*) from attempts`;
      resolve();
      await ended;
    });
  });
  return async () => {
    end();
    await reading;
  };
}

/** One hour's run. */
async function run(database: Database = limited) {
  await makePartitions(database, TABLE, { now: NOW });
  return await dropPartitions(database, TABLE, BEFORE);
}

async function expectFinished(): Promise<void> {
  expect(await attached()).toEqual([...KEPT, ...AHEAD]);
  expect(await tables()).toEqual([...KEPT, ...AHEAD]);
  const [{ count }] = await test.database<[{ count: number }]>`select count(*)::int as count from attempts`;
  expect(count).toBeGreaterThanOrEqual(KEPT.length);
}

/** As the parent's: columns, defaults, keys and indexes. */
async function definitionOf(table: string) {
  const columns = await test.database`
    select attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid) as default
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table}::regclass and attnum > 0 order by attnum`;
  const indexes = await test.database`
    select indisprimary, indisunique, indkey::text from pg_index where indrelid = ${table}::regclass order by 3`;
  return { columns: [...columns], indexes: [...indexes] };
}

it("creates partitions with the parent's columns, keys and indexes", async () => {
  await makePartitions(limited, TABLE, { now: NOW });
  expect(await attached()).toEqual([...KEPT.slice(1), ...AHEAD]);
  for (const name of await attached())
    expect(await definitionOf(name)).toEqual(await definitionOf("attempts"));
  const inherited = await test.database`
    select from pg_inherits where inhparent = 'attempts_pkey'::regclass`;
  expect(inherited).toHaveLength((await attached()).length);
});

describe("while a transaction that has read the table stays open", () => {
  it("creates partitions without blocking readers and writers", async () => {
    await makeDays([20, 21, 22]);
    const endReader = await openReader();
    try {
      const made = makePartitions(limited, TABLE, { now: NOW });
      for (let count = 0; count < 50; count++) {
        await insertAttempt(NOW);
        await limited`select from attempts limit 1`;
      }
      await made;
      for (const day of [23, 24]) await insertAttempt(new Date(Date.UTC(2026, 10, day)));
    } finally {
      await endReader();
    }
    expect(await attached()).toEqual([...KEPT, ...AHEAD]);
  });

  it.runIf(FULL_TESTS)(
    "defers blocked drops without blocking others, and finishes in a later run",
    async () => {
      await makeDays([17, 18, 19, 20, 21, 22]);
      const endReader = await openReader();
      try {
        for (let hour = 0; hour < 2; hour++) {
          let is_over = false;
          const running = run().finally(() => {
            is_over = true;
          });
          let writes = 0;
          while (!is_over) {
            await insertAttempt(NOW);
            await limited`select from attempts limit 1`;
            writes += 1;
          }
          expect(writes).toBeGreaterThan(10);
          const { dropped, deferred } = await running;
          expect(dropped).toEqual([]);
          expect(deferred).toMatchObject([
            { partition: OLD[0], error: { code: expect.stringMatching(/^(57014|55P03)$/) } },
          ]);
        }
        expect(await tables()).toEqual([...OLD, ...KEPT, ...AHEAD]);
      } finally {
        await endReader();
      }
      expect(await run()).toEqual({ dropped: OLD, deferred: [] });
      await expectFinished();
    },
  );
});

it("keeps the current partition usable if later ones cannot be created", async () => {
  await makeDays([22]);
  await transaction(test.database, async (sql) => {
    await sql`lock table attempts in share mode`;
    await expect(makePartitions(limited, TABLE, { now: NOW })).rejects.toMatchObject({
      code: expect.stringMatching(/^(57014|55P03)$/),
    });
    expect(await hasPartition(limited, TABLE, NOW)).toBe(true);
    expect(await hasPartition(limited, TABLE, new Date("2026-11-23T00:00:00Z"))).toBe(false);
  });
  await run();
  expect(await attached()).toEqual([...KEPT.slice(1), ...AHEAD]);
});

it("takes no lock if all partitions exist", async () => {
  await makePartitions(limited, TABLE, { now: NOW });
  await transaction(test.database, async (sql) => {
    await sql`lock table only attempts in share update exclusive mode`;
    await makePartitions(limited, TABLE, { now: NOW });
  });
});

it("creates and drops partitions in concurrent processes", async () => {
  await makeDays([17, 18, 19, 20, 21, 22]);
  // Eight processes that wait for each other can take longer than the limit on a busy machine.
  const patient = () => open(test.url, { limits: { ...LIMITS, session: { statement_timeout: 60_000 } } });
  await Promise.all(Array.from({ length: 8 }, () => makePartitions(patient(), TABLE, { now: NOW })));
  await Promise.all([run(patient()), run(patient()), run(patient())]);
  await run();
  await expectFinished();
});

it("attaches a table that was created but not attached", async () => {
  await makeDays([20, 21, 22]);
  await test.database`create table attempts_2026_11_23 (like attempts including all)`;
  await run();
  await expectFinished();
});

it("does not drop a table that an operator detached", async () => {
  await makeDays([17, 20, 21, 22]);
  await test.database`alter table attempts detach partition attempts_2026_11_17`;
  expect(await run()).toEqual({ dropped: [], deferred: [] });
  expect(await test.database`select from attempts_2026_11_17`).toHaveLength(1);
});

it("waits for readers of a detached table in later runs", async () => {
  await makeDays([17, 20, 21, 22]);
  await transaction(test.database, async (sql) => {
    await sql`select from attempts_2026_11_17`;
    const { dropped, deferred } = await run();
    expect(dropped).toEqual([]);
    expect(deferred).toHaveLength(1);
    await insertAttempt(NOW);
  });
  expect((await run()).dropped).toEqual(["attempts_2026_11_17"]);
  await expectFinished();
});

it.each(LOST_ANSWERS)("finishes the work of a connection lost at any call: %s", async (kind) => {
  const faulty = await FaultyPostgres.before(test.url);
  closed.push(() => faulty.close());
  let calls = 0;
  do {
    await makeDays([17, 20, 21, 22]);
    faulty.follow(failNth(calls + 1, kind));
    const database = open(faulty.url);
    const failures: unknown[] = [];
    await run(database).then(
      ({ deferred }) => failures.push(...deferred),
      (error) => failures.push(error),
    );
    const [failed] = faulty.failed;
    // The driver itself repeats a session start.
    if (failed !== undefined && failed.sql !== "connect") expect(failures, failed.sql).not.toEqual([]);
    await database.end({ timeout: 0 });
    await run();
    await run();
    await expectFinished();
    await test.database.unsafe((await tables()).map((name) => `drop table ${name};`).join(""));
    calls += faulty.failed.length;
  } while (faulty.failed.length > 0);
  expect(calls).toBeGreaterThan(20);
});

describe.skipIf(pgbouncerVersion() === null)("behind PgBouncer in transaction mode", () => {
  it("creates, defers and drops partitions", async () => {
    const bouncer = await PgBouncer.start(test.url);
    closed.push(() => bouncer.stop());
    const database = open(bouncer.url, { prepare: false, limits: { ...LIMITS, session: {} } });
    await makeDays([17, 18, 19, 20, 21, 22]);
    const endReader = await openReader();
    const { deferred } = await run(database);
    expect(deferred).toHaveLength(1);
    await insertAttempt(NOW, database);
    await endReader();
    expect((await run(database)).deferred).toEqual([]);
    await expectFinished();
  });
});
