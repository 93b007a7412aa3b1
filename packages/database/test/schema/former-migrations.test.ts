import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { findBroken, inSnapshot, ledger_checks } from "../../src/ledger/checks.ts";
import { type Migration, readMigrations } from "../../src/migrations.ts";
import type { Database } from "../../src/postgres/connect.ts";
import { findBrokenTotals } from "../../src/reports/totals/checks.ts";
import { BASELINE_LENGTH } from "../../src/schema/former-migrations.ts";
import { checkSchema, migrate, SchemaError } from "../../src/schema/migrate.ts";
import { findDeliveriesWithoutEvent } from "../../src/webhooks/delivery-checks.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { describeSchema } from "./schema-description.ts";

const opened: TestDatabase[] = [];

afterEach(async () => {
  for (const test of opened.splice(0)) await test.close();
});

async function emptyDatabase(): Promise<Database> {
  const test = await createTestDatabase({ migrated: false });
  opened.push(test);
  return test.database;
}

async function formerDatabase(...files: ("schema" | "rows")[]): Promise<Database> {
  const database = await emptyDatabase();
  for (const file of files) {
    await database.unsafe(await readFile(new URL(`former-schema/${file}.sql`, import.meta.url), "utf8"));
  }
  return database;
}

async function baseline(): Promise<Migration[]> {
  return (await readMigrations()).slice(0, BASELINE_LENGTH);
}

async function appliedNames(database: Database): Promise<string[]> {
  const rows = await database<{ name: string }[]>`select name from schema_migrations order by number`;
  return rows.map(({ name }) => name);
}

/** All rows of each table but `schema_migrations`, as Postgres writes them. */
async function rowsByTable(database: Database): Promise<Map<string, string[]>> {
  const tables = await database<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations'`;
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await database<{ line: string }[]>`
      select line::text as line from ${database(name)} as line order by 1`;
    all.set(
      name,
      rows.map(({ line }) => line),
    );
  }
  return all;
}

/** The service's own checks of stored data. */
async function brokenRows(database: Database): Promise<unknown[]> {
  const organizations = await database<{ id: string }[]>`select id from organizations`;
  const broken: unknown[] = await findDeliveriesWithoutEvent(database);
  await inSnapshot(database, async (sql) => {
    for (const check of ledger_checks) {
      broken.push(...(await findBroken(sql, null, { check, limit: null })).rows);
    }
    for (const { id } of organizations) broken.push(...(await findBrokenTotals(sql, id, null)));
  });
  return broken;
}

it("the baseline makes the schema of the former migrations", async () => {
  const database = await emptyDatabase();
  await migrate(database, await baseline());
  const lines = await describeSchema(database);
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines).toEqual(await describeSchema(await formerDatabase("schema")));
});

it("data of the former schema arrives whole", async () => {
  const database = await formerDatabase("schema", "rows");
  const rows = await rowsByTable(database);
  expect([...rows].filter(([, lines]) => lines.length === 0)).toEqual([]);
  await expect(checkSchema(database)).rejects.toThrow("run `findersfee migrate`");

  const files = await baseline();
  expect(await migrate(database, files)).toEqual([]);
  await checkSchema(database, files);
  expect(await appliedNames(database)).toEqual(files.map(({ name }) => name));
  expect(await rowsByTable(database)).toEqual(rows);

  await migrate(database);
  await checkSchema(database);
  expect(await brokenRows(database)).toEqual([]);
});

it("a database of the former schema keeps its former names if the next migration fails", async () => {
  const database = await formerDatabase("schema");
  const former = await appliedNames(database);
  const next = { number: BASELINE_LENGTH + 1, name: "0019_next", checksum: "x" };
  const known = await baseline();
  await expect(migrate(database, [...known, { ...next, sql: "select 1 / 0" }])).rejects.toThrow("division");
  expect(await appliedNames(database)).toEqual(former);
  expect(await migrate(database, [...known, { ...next, sql: "create table next ()" }])).toEqual([next.name]);
});

it("several processes take over a database of the former schema once", async () => {
  const database = await formerDatabase("schema");
  const known = await baseline();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database, known)));
  expect(applied.flat()).toEqual([]);
  expect(await appliedNames(database)).toEqual(known.map(({ name }) => name));
});

it.each([
  [
    "a part of",
    "delete from schema_migrations where number > 30",
    "30 migrations from before the baseline, up to 0030_payout_currency, and",
  ],
  [
    "an edit of the",
    "update schema_migrations set checksum = 'x' where number = 9",
    "48 migrations from before the baseline, up to 0048_both_languages, and",
  ],
  [
    "more than",
    "insert into schema_migrations values (49, '0049_more', 'x')",
    "49 migrations from before the baseline, up to 0049_more, and",
  ],
])("a database with %s former migrations is refused as it is", async (_, change, message) => {
  const database = await formerDatabase("schema");
  await database.unsafe(change);
  const names = await appliedNames(database);
  for (const check of [migrate, checkSchema]) {
    const error = await check(database).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(SchemaError);
    expect(String(error)).toContain(message);
    expect(String(error)).toContain("Run `findersfee migrate` of that commit first");
  }
  expect(await appliedNames(database)).toEqual(names);
});
