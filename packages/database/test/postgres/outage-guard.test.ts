import { test as base, expect } from "vitest";
import { connect, type Database, transaction } from "../../src/postgres/connect.ts";
import { isOutage } from "../../src/postgres/errors.ts";
import { OutageGuard } from "../../src/postgres/outage-guard.ts";
import { eventually } from "../eventually.ts";
import { FaultyPostgres } from "../faults/faulty-postgres.ts";
import { freePort } from "../free-port.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

const POOL = 3;
/** Hundreds of statements that fail at once take a hundredth of it. If each waited for anything, they would take minutes. */
const AT_ONCE_MILLISECONDS = 20_000;

/** A database of each test's own, behind a proxy, and a guarded pool. */
interface Guarded {
  test: TestDatabase;
  proxy: FaultyPostgres;
  database: Database;
  guard: OutageGuard;
}

const it = base.extend<{ guarded: Guarded }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs
  guarded: async ({}, use) => {
    const test = await createTestDatabase({ migrated: false });
    await test.database`create table notes (id int primary key)`;
    const proxy = await FaultyPostgres.before(test.url);
    const database = connect({ url: proxy.url, poolSize: POOL, prepare: true, name: "guarded" });
    const guard = new OutageGuard(database);
    await use({ test, proxy, database, guard });
    proxy.lift();
    await guard.stop();
    await database.end({ timeout: 1 });
    await proxy.close();
    await test.close();
  },
});

/** The error of a statement, or null. */
function failureOf(statement: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(statement).then(
    () => null,
    (error: unknown) => error,
  );
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

it.concurrent("fails statements at once while nothing is answered, and lets them through again", async ({
  guarded: { proxy, database, guard },
}) => {
  await database`select 1`;
  proxy.follow(() => "hang_before");
  const begun = failureOf(transaction(database, (sql) => sql`insert into notes values (1)`));
  const waiting = Array.from({ length: 4 * POOL }, () => failureOf(database`select 1`));
  const unbegun = Array.from({ length: POOL }, (_, id) =>
    failureOf(transaction(database, (sql) => sql`insert into notes values (${id + 2})`)),
  );
  expect((await Promise.all([...waiting, ...unbegun])).every(isOutage)).toBe(true);
  expect(guard.is_away).toBe(true);
  const refusals = await milliseconds(async () => {
    for (let i = 0; i < 50; i++) await failureOf(database`select 1`);
  });
  expect(refusals).toBeLessThan(AT_ONCE_MILLISECONDS);
  proxy.lift();
  await eventually(() => database`select 1`);
  expect(guard.is_away).toBe(false);
  // A transaction that had a connection goes on.
  expect(await begun).toBeNull();
  // Each connection is free again, and does not run a refused statement later.
  await Promise.all(
    Array.from({ length: 4 * POOL }, (_, id) =>
      transaction(database, (sql) => sql`insert into notes values (${id + 10})`),
    ),
  );
  const [row] = await database<[{ count: number }]>`select count(*)::int from notes`;
  expect(row.count).toBe(4 * POOL + 1);
});

it.concurrent("fails statements at once while connections are refused", async () => {
  const refused = connect({
    url: `postgres://u:p@127.0.0.1:${await freePort()}/db`,
    poolSize: POOL,
    prepare: true,
    name: "refused",
  });
  const own = new OutageGuard(refused);
  try {
    const failures = await Promise.all(Array.from({ length: 200 }, () => failureOf(refused`select 1`)));
    expect(failures.every(isOutage)).toBe(true);
    await eventually(() => expect(own.is_away).toBe(true));
    expect(
      await milliseconds(() => Promise.all(Array.from({ length: 500 }, () => failureOf(refused`select 1`)))),
    ).toBeLessThan(AT_ONCE_MILLISECONDS);
  } finally {
    await own.stop();
    await refused.end({ timeout: 0 });
  }
});

it.concurrent("does not take a slow statement for an outage", async ({ guarded: { database, guard } }) => {
  const slow = database`select pg_sleep(4)`;
  let was_away = false;
  guard.onAway(() => {
    was_away = true;
  });
  await Promise.all([slow, slow.then(() => database`select 1`)]);
  expect(was_away).toBe(false);
});

it.concurrent("does not take one lost connection for an outage", async ({
  guarded: { test, database, guard },
}) => {
  let was_away = false;
  guard.onAway(() => {
    was_away = true;
  });
  const victim = failureOf(database`select pg_sleep(60) as victim`);
  await eventually(async () => {
    const rows = await test.database`
      select pg_terminate_backend(pid) from pg_stat_activity where query like '%as victim%' and pid <> pg_backend_pid()`;
    expect(rows).toHaveLength(1);
  });
  expect(isOutage(await victim)).toBe(true);
  await database`select 1`;
  expect(was_away).toBe(false);
});

it.concurrent("fails statements that would wait behind others for too long, and no others", async ({
  guarded: { database },
}) => {
  const busy = Array.from({ length: POOL }, () => database`select pg_sleep(9)`.execute());
  const waiting = database`select 1`.execute();
  const failures: unknown[] = [];
  await eventually(() => {
    void failureOf(database`select 1`).then((failure) => failure !== null && failures.push(failure));
    expect(failures).not.toEqual([]);
  });
  expect(failures[0]).toMatchObject({ code: "POOL_EXHAUSTED" });
  await Promise.all([...busy, waiting]);
  await eventually(() => database`select 1`);
});
