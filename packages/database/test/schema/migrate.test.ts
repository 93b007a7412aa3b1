import { afterEach, describe, expect, it } from "vitest";
import { type Migration, readMigrations } from "../../src/migrations.ts";
import { connect } from "../../src/postgres/connect.ts";
import { checkSchema, migrate, SchemaError } from "../../src/schema/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource.close();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const test = await createTestDatabase({ migrated: false });
  opened.push(test);
  return test;
}

function migration(number: number, sql: string): Migration {
  return { number, name: `000${number}_step`, sql, checksum: `checksum of ${sql}` };
}

describe("migrate", () => {
  it("applies this build's migrations in order, and nothing the second time", async () => {
    const { database } = await emptyDatabase();
    const names = (await readMigrations()).map(({ name }) => name);
    await expect(checkSchema(database)).rejects.toThrow("run `findersfee migrate`");
    expect(await migrate(database)).toEqual(names);
    expect(await migrate(database)).toEqual([]);
    await checkSchema(database);
    const rows = await database`select name, checksum from schema_migrations order by number`;
    expect(rows.map((row) => row.name)).toEqual(names);
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.checksum))).toBe(true);
  });

  it("applies each migration once when several processes migrate", async () => {
    const { url } = await emptyDatabase();
    const databases = Array.from({ length: 6 }, (_, index) =>
      connect({ url, poolSize: 2, prepare: index % 2 === 0, name: "migrating" }),
    );
    opened.push(...databases.map((database) => ({ close: () => database.end() })));
    const applied = await Promise.all(databases.map((database) => migrate(database)));
    const names = (await readMigrations()).map(({ name }) => name);
    expect(applied.flat().sort()).toEqual(names);
  });

  it("rolls back a failed migration and keeps earlier ones", async () => {
    const { database } = await emptyDatabase();
    const broken = [migration(1, "create table a ()"), migration(2, "create table b (); select 1 / 0")];
    await expect(migrate(database, broken)).rejects.toThrow("division by zero");
    const [tables] =
      await database`select to_regclass('a') is not null as a, to_regclass('b') is not null as b`;
    expect(tables).toEqual({ a: true, b: false });
    const repaired = [migration(1, "create table a ()"), migration(2, "create table b ()")];
    expect(await migrate(database, repaired)).toEqual(["0002_step"]);
  });

  it("rejects an applied migration that was edited", async () => {
    const { database } = await emptyDatabase();
    await migrate(database, [migration(1, "create table a ()")]);
    const edited = [migration(1, "create table a (id integer)"), migration(2, "create table b ()")];
    await expect(migrate(database, edited)).rejects.toThrow(SchemaError);
    await expect(checkSchema(database, edited)).rejects.toThrow("must not be edited");
    const [table] = await database`select to_regclass('b') as name`;
    expect(table?.name).toBeNull();
  });

  it("rejects a database of a newer version", async () => {
    const { database } = await emptyDatabase();
    const [first, second] = [migration(1, "create table a ()"), migration(2, "create table b ()")];
    await migrate(database, [first, second]);
    await expect(migrate(database, [first])).rejects.toThrow("0002_step, which this version does not know");
    await expect(checkSchema(database, [first])).rejects.toThrow(SchemaError);
  });

  it("rejects a database of another baseline without changing it", async () => {
    const { database } = await emptyDatabase();
    const first = { ...migration(1, "create table a ()"), name: "0001_organizations" };
    await migrate(database, [first]);
    await database`
      insert into schema_migrations (number, name, checksum)
      values (2, '0002_program', 'x'), (9, '0009_ledger', 'x'), (37, '0037_mail_claims', 'x')`;
    for (const check of [migrate, checkSchema]) {
      await expect(check(database)).rejects.toThrow(SchemaError);
      await expect(check(database)).rejects.toThrow(
        /has the migration 0002_program where this version has 0002_identity: it cannot be upgraded\. Create an empty database/,
      );
    }
    const [left] = await database`
      select count(*)::int as migrations, to_regclass('organizations') as organizations from schema_migrations`;
    expect(left).toEqual({ migrations: 4, organizations: null });
  });

  it("lists the migrations that an older database lacks", async () => {
    const { database } = await emptyDatabase();
    const [first, second] = [migration(1, "create table a ()"), migration(2, "create table b ()")];
    await migrate(database, [first]);
    await expect(checkSchema(database, [first, second])).rejects.toThrow(
      "The database lacks the migrations 0002_step: run `findersfee migrate`.",
    );
  });
});
