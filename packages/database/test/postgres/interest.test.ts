import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, savepoint, snapshot, transaction } from "../../src/postgres/connect.ts";
import { Interest } from "../../src/postgres/interest.ts";
import { statement } from "../../src/postgres/statement.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

const CANCELED = { code: "57014" };

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
  database = test.database;
});

afterAll(() => test.close());

const SLEEP = statement<object, "seconds">("select pg_sleep(:seconds)");

describe("statements of an interest", () => {
  const ways: Record<string, (own: Database) => Promise<unknown>> = {
    "a template": async (own) => await own`select pg_sleep(60)`,
    "a prepared text": (own) => SLEEP.run(own, { seconds: 60 }),
    "a snapshot": (own) => snapshot(own, async (sql) => await sql`select pg_sleep(60)`),
    "a transaction's savepoint": (own) =>
      transaction(own, (sql) => savepoint(sql, (inner) => SLEEP.run(inner, { seconds: 60 }))),
  };

  it.each(Object.entries(ways))("are canceled when it ends: %s", async (_, read) => {
    const interest = new Interest();
    const reading = read(interest.over(database));
    interest.end();
    await expect(reading).rejects.toMatchObject(CANCELED);
  });

  it("leave others, made at the same time, to their end", async () => {
    const interest = new Interest();
    const own = interest.over(database);
    const canceled = ways["a snapshot"]?.(own);
    const other = database<[{ done: boolean }]>`select pg_sleep(1) is not null as done`.execute();
    interest.end();
    await expect(canceled).rejects.toMatchObject(CANCELED);
    expect(await other).toMatchObject([{ done: true }]);
    expect(own.options).toBe(database.options);
  });
});
