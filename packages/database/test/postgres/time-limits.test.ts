import { test as base, describe, expect } from "vitest";
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

/** What each test has for itself: they wait side by side. */
interface Limited {
  test: TestDatabase;
  /** Opens a pool with time limits. */
  open: (url: string, prepare?: boolean) => Promise<Database>;
  /** Called after the test, the last one first. */
  closed: (() => Promise<unknown>)[];
}

const it = base.extend<Limited>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs
  test: async ({}, use) => {
    const test = await createTestDatabase({ migrated: false });
    await use(test);
    await test.close();
  },
  // The database is closed after all that uses it.
  closed: async ({ test: _ }, use) => {
    const closed: Limited["closed"] = [];
    await use(closed);
    for (const close of closed.reverse()) await close();
  },
  open: async ({ closed }, use) => {
    await use(async (url, prepare = true) => {
      const options = optionsOf(url, prepare);
      const limits = await readTimeLimits(options, SECONDS);
      const database = connect({ ...options, poolSize: POOL, limits });
      closed.push(() => database.end({ timeout: 0 }));
      return database;
    });
  },
});

function optionsOf(url: string, prepare = true): Omit<ConnectOptions, "poolSize" | "limits"> {
  return { url, prepare, name: "limited" };
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

/** Statements that the server works on for pools of a test. */
async function runningStatements({ database }: TestDatabase): Promise<number> {
  const rows = await database`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ~ 'pg_sleep'`;
  return rows.length;
}

it.concurrent("ends a statement on the server at its limit", async ({ test, open }) => {
  const database = await open(test.url);
  expect(await setting(database, "statement_timeout")).toBe("1s");
  const error = await failure(database`select pg_sleep(600)`);
  expect(error).toMatchObject({ code: "57014", message: /statement timeout/ });
  expect(isTimeLimit(error)).toBe(true);
  expect(await runningStatements(test)).toBe(0);
});

it.concurrent("ends an idle transaction on the server", async ({ test, open }) => {
  const database = await open(test.url);
  expect(await setting(database, "idle_in_transaction_session_timeout")).toBe("1min");
});

it.concurrent.for(["database", "role"] as const)("keeps what the %s sets", async (owner, { test, open }) => {
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

it.concurrent("sets no limit with 0 seconds", async ({ test }) => {
  expect(await readTimeLimits(optionsOf(test.url), 0)).toBeNull();
});

it.concurrent("sets a separate limit for long work", async ({ test, open, closed }) => {
  const database = await open(test.url);
  const long = connectForLongWork(database, 1);
  closed.push(() => long.end());
  expect(await setting(long.database, "statement_timeout")).toBe("10min");
  const slept = long.database`select pg_sleep(${SECONDS + 6})`.then(() => "done");
  await failure(database`select pg_sleep(600)`);
  expect(await slept).toBe("done");
});

describe.skipIf(pgbouncerVersion() === null).concurrent("behind PgBouncer in transaction mode", () => {
  it.concurrent("cancels a statement from the client, also on the server", async ({ test, open, closed }) => {
    const bouncer = await PgBouncer.start(test.url);
    closed.push(() => bouncer.stop());
    const limits = await readTimeLimits(optionsOf(bouncer.url, false), SECONDS);
    expect(limits).toMatchObject({ statement_seconds: SECONDS, session: {} });
    const database = await open(bouncer.url, false);
    const error = await failure(database`select pg_sleep(600)`);
    expect(error).toMatchObject({ code: "57014" });
    await eventually(async () => expect(await runningStatements(test)).toBe(0));
    expect(await database`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe.concurrent("in a network partition", () => {
  /** A pool that reaches Postgres through a proxy. */
  async function openBehind({ test, open, closed }: Limited) {
    const proxy = await FaultyPostgres.before(test.url);
    closed.push(() => proxy.close());
    const database = await open(proxy.url);
    await useAll(database);
    return { proxy, database };
  }

  /** Uses each connection of the pool. */
  async function useAll(database: Database): Promise<void> {
    await Promise.all(Array.from({ length: POOL }, () => database`select pg_sleep(0.05)`));
  }

  it.concurrent("fails running statements in time, and the pool recovers", async ({ test, open, closed }) => {
    const { proxy, database } = await openBehind({ test, open, closed });
    // The server gets these, and its answers are lost; it gets no others.
    proxy.follow(({ sql }) => (sql.includes("600") ? "hang_after" : "hang_before"));
    const sleeping = Array.from({ length: POOL }, () => failure(database`select pg_sleep(600)`));
    // Not whether they run on the server, which ends them after a second.
    await eventually(() => expect(proxy.failed).toHaveLength(POOL));
    const waiting = failure(database`select 1`);
    for (const error of await Promise.all(sleeping)) {
      expect(error).toMatchObject({ code: "QUERY_TIMEOUT" });
      expect(isOutage(error)).toBe(true);
    }
    expect(isOutage(await waiting)).toBe(true);
    endPartition(proxy);
    await eventually(() => useAll(database));
  });

  it.concurrent("fails statements on idle connections, and transactions", async ({ test, open, closed }) => {
    const { proxy, database } = await openBehind({ test, open, closed });
    beginPartition(proxy);
    const outcomes = await Promise.all([
      failure(database`select 1`),
      failure(transaction(database, (sql) => sql`select 2`)),
    ]);
    for (const error of outcomes) expect(isOutage(error)).toBe(true);
    endPartition(proxy);
    await eventually(() => useAll(database));
  });

  it.concurrent("fails a transaction in its middle", async ({ test, open, closed }) => {
    const { proxy, database } = await openBehind({ test, open, closed });
    const outcome = failure(
      transaction(database, async (sql) => {
        await sql`select 1`;
        beginPartition(proxy);
        await sql`select 2`;
      }),
    );
    expect(isOutage(await outcome)).toBe(true);
    endPartition(proxy);
    await eventually(() => useAll(database));
  });
});

it.skipIf(Boolean(process.env.TEST_DATABASE_URL)).concurrent(
  "releases a connection that its server does not close",
  async ({ test, closed }) => {
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
