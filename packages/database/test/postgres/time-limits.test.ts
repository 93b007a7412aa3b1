import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ConnectOptions,
  connect,
  connectForLongWork,
  type Database,
  transaction,
} from "../../src/postgres/connect.ts";
import { isOutage, isTimeLimit } from "../../src/postgres/errors.ts";
import { readTimeLimits } from "../../src/postgres/time-limits.ts";
import { eventually } from "../eventually.ts";
import { FaultyPostgres } from "../faults/faulty-postgres.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { PgBouncer, pgbouncerVersion } from "./pgbouncer.ts";

const POOL = 3;
const SECONDS = 1;

let test: TestDatabase;
const closed: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

function optionsOf(url: string, prepare = true): Omit<ConnectOptions, "poolSize" | "limits"> {
  return { url, prepare, name: "limited" };
}

async function open(url: string, prepare = true): Promise<Database> {
  const options = optionsOf(url, prepare);
  const limits = await readTimeLimits(options, SECONDS);
  const database = connect({ ...options, poolSize: POOL, limits });
  closed.push(() => database.end({ timeout: 0 }));
  return database;
}

/** No call is answered any more, and no connection ends. */
function beginPartition(proxy: FaultyPostgres): void {
  proxy.follow(() => "hang_before");
}

/** New connections work; those that hang stay so. */
function endPartition(proxy: FaultyPostgres): void {
  proxy.follow(() => null);
}

function failure(query: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(query).then(
    () => null,
    (error: unknown) => error,
  );
}

async function setting(database: Database, name: string): Promise<string> {
  const [row] = await database<[{ value: string }]>`select current_setting(${name}) as value`;
  return row.value;
}

/** Statements that the server works on for pools of this test. */
async function runningStatements(): Promise<number> {
  const rows = await test.database`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ~ 'pg_sleep'`;
  return rows.length;
}

it("ends a statement on the server at its limit", async () => {
  const database = await open(test.url);
  expect(await setting(database, "statement_timeout")).toBe("1s");
  const error = await failure(database`select pg_sleep(600)`);
  expect(error).toMatchObject({ code: "57014", message: /statement timeout/ });
  expect(isTimeLimit(error)).toBe(true);
  expect(await runningStatements()).toBe(0);
});

it("ends an idle transaction on the server", async () => {
  const database = await open(test.url);
  expect(await setting(database, "idle_in_transaction_session_timeout")).toBe("1min");
});

it.each(["database", "role"] as const)("keeps what the %s sets", async (owner) => {
  const [{ name, role }] = await test.database<[{ name: string; role: string }]>`
    select current_database() as name, current_user as role`;
  const of = owner === "database" ? `database ${name}` : `role ${role} in database ${name}`;
  await test.database.unsafe(`alter ${of} set statement_timeout = '7s'`);
  await test.database.unsafe(`alter ${of} set idle_in_transaction_session_timeout = 0`);
  const database = await open(test.url);
  expect(await setting(database, "statement_timeout")).toBe("7s");
  expect(await setting(database, "idle_in_transaction_session_timeout")).toBe("0");
  expect(await readTimeLimits(optionsOf(test.url), SECONDS)).toMatchObject({
    statement_seconds: 7,
    long_statement_seconds: 7,
  });
});

it("sets no limit with 0 seconds", async () => {
  expect(await readTimeLimits(optionsOf(test.url), 0)).toBeNull();
});

it("sets a separate limit for long work", async () => {
  const database = await open(test.url);
  const long = connectForLongWork(database, 1);
  closed.push(() => long.end());
  expect(await setting(long.database, "statement_timeout")).toBe("10min");
  const slept = long.database`select pg_sleep(${SECONDS + 6})`.then(() => "done");
  await failure(database`select pg_sleep(600)`);
  expect(await slept).toBe("done");
});

describe.skipIf(pgbouncerVersion() === null)("behind PgBouncer in transaction mode", () => {
  it("cancels a statement from the client, also on the server", async () => {
    const bouncer = await PgBouncer.start(test.url);
    closed.push(() => bouncer.stop());
    const limits = await readTimeLimits(optionsOf(bouncer.url, false), SECONDS);
    expect(limits).toMatchObject({ statement_seconds: SECONDS, session: {} });
    const database = await open(bouncer.url, false);
    const error = await failure(database`select pg_sleep(600)`);
    expect(error).toMatchObject({ code: "57014" });
    await eventually(async () => expect(await runningStatements()).toBe(0));
    expect(await database`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe("in a network partition", () => {
  let proxy: FaultyPostgres;
  let database: Database;

  beforeEach(async () => {
    proxy = await FaultyPostgres.before(test.url);
    closed.push(() => proxy.close());
    database = await open(proxy.url);
    await useAll();
  });

  /** Uses each connection of the pool. */
  async function useAll(): Promise<void> {
    await Promise.all(Array.from({ length: POOL }, () => database`select pg_sleep(0.05)`));
  }

  it("fails running statements in time, and the pool recovers", async () => {
    // The server gets these, and its answers are lost; it gets no others.
    proxy.follow(({ sql }) => (sql.includes("600") ? "hang_after" : "hang_before"));
    const sleeping = Array.from({ length: POOL }, () => failure(database`select pg_sleep(600)`));
    await eventually(async () => expect(await runningStatements()).toBe(POOL));
    const waiting = failure(database`select 1`);
    for (const error of await Promise.all(sleeping)) {
      expect(error).toMatchObject({ code: "QUERY_TIMEOUT" });
      expect(isOutage(error)).toBe(true);
    }
    expect(isOutage(await waiting)).toBe(true);
    endPartition(proxy);
    await eventually(useAll);
  });

  it("fails statements on idle connections, and transactions", async () => {
    beginPartition(proxy);
    const outcomes = await Promise.all([
      failure(database`select 1`),
      failure(transaction(database, (sql) => sql`select 2`)),
    ]);
    for (const error of outcomes) expect(isOutage(error)).toBe(true);
    endPartition(proxy);
    await eventually(useAll);
  });

  it("fails a transaction in its middle", async () => {
    const outcome = failure(
      transaction(database, async (sql) => {
        await sql`select 1`;
        beginPartition(proxy);
        await sql`select 2`;
      }),
    );
    expect(isOutage(await outcome)).toBe(true);
    endPartition(proxy);
    await eventually(useAll);
  });
});

it.skipIf(Boolean(process.env.TEST_DATABASE_URL))(
  "releases a connection that its server does not close",
  async () => {
    const limits = await readTimeLimits(optionsOf(test.url), SECONDS);
    const database = connect({ ...optionsOf(test.url), poolSize: 1, limits, idle_seconds: 0.2 });
    closed.push(() => database.end({ timeout: 0 }));
    const [{ pid }] = await database<[{ pid: number }]>`select pg_backend_pid() as pid`;
    process.kill(pid, "SIGSTOP");
    closed.push(async () => process.kill(pid, "SIGCONT"));
    // Longer than the idle time, after which the pool closes the connection.
    await test.database`select pg_sleep(1)`;
    expect(await database`select 1 as one`).toEqual([{ one: 1 }]);
  },
);
