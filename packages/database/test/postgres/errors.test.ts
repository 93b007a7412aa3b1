import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transaction } from "../../src/postgres/connect.ts";
import {
  isOutage,
  isPermanent,
  isStatementError,
  isTransient,
  isUnavailable,
} from "../../src/postgres/errors.ts";
import { canMount, SmallDisk } from "../small-disk.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
});

afterAll(() => test.close());

/** Returns an error that Postgres raises with this SQLSTATE. */
async function raiseError(state: string): Promise<unknown> {
  return await test.database
    .unsafe(`do $$ begin raise exception using errcode = '${state}', message = 'raised'; end $$`)
    .then(
      () => null,
      (error: unknown) => error,
    );
}

function classify(error: unknown): string[] {
  const classes = { isOutage, isUnavailable, isTransient, isPermanent, isStatementError };
  return Object.entries(classes).flatMap(([name, holds]) => (holds(error) ? [name] : []));
}

describe.each([
  ["disk full", "53100"],
  ["out of memory", "53200"],
  ["too many connections", "53300"],
  ["insufficient resources", "53000"],
  ["I/O error", "58030"],
  ["shutdown", "57P01"],
  ["crash", "57P02"],
  ["startup", "57P03"],
  ["idle session", "57P05"],
  ["connection failure", "08006"],
  ["a standby", "25006"],
])("%s (%s)", (_name, state) => {
  it("is an outage, after which the same statement can succeed", async () => {
    expect(classify(await raiseError(state))).toEqual([
      "isOutage",
      "isUnavailable",
      "isTransient",
      "isStatementError",
    ]);
  });
});

it.each(["57014", "55P03", "25P03"])(
  "classifies time limit %s as unavailable, but not as an outage",
  async (state) => {
    expect(classify(await raiseError(state))).toEqual(["isUnavailable", "isTransient", "isStatementError"]);
  },
);

it.each(["40001", "40P01"])("classifies conflict %s as transient", async (state) => {
  expect(classify(await raiseError(state))).toEqual(["isTransient", "isStatementError"]);
});

it.each(["23505", "23514", "22003", "42P01", "42501", "XX000"])(
  "classifies %s as permanent",
  async (state) => {
    expect(classify(await raiseError(state))).toEqual(["isPermanent", "isStatementError"]);
  },
);

it("classifies a lost connection as an outage, after which the statement may have taken effect", async () => {
  const lost = await test.database`select pg_terminate_backend(pg_backend_pid())`.catch((error) => error);
  expect(isOutage(lost)).toBe(true);
  expect(isPermanent(lost)).toBe(false);
});

it.skipIf(!canMount())("classifies a full disk as an outage, and writes again once it has room", async () => {
  const { database } = test;
  const disk = await SmallDisk.mount(database);
  try {
    await database.unsafe(`create table notes (text text) tablespace ${disk.tablespace}`);
    await disk.fill();
    const write = () => transaction(database, (sql) => sql`insert into notes values (${"x".repeat(1_000)})`);
    const full = await write().catch((error) => error);
    expect(full).toMatchObject({ code: "53100" });
    expect(classify(full)).toEqual(["isOutage", "isUnavailable", "isTransient", "isStatementError"]);
    await disk.clear();
    await write();
    expect(await database`select from notes`).toHaveLength(1);
  } finally {
    await database`drop table if exists notes`;
    await disk.unmount();
  }
});
