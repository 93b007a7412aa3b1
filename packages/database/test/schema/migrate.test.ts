import { afterEach, describe, expect, it } from "vitest";
import { type Migration, readMigrations } from "../../src/migrations.ts";
import { connect } from "../../src/postgres/connect.ts";
import { checkSchema, SchemaError } from "../../src/schema/check.ts";
import { migrate, type WaitingMigration } from "../../src/schema/migrate.ts";
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

async function indexes(database: TestDatabase["database"]): Promise<string[]> {
  const rows = await database<{ name: string }[]>`
    select relname || case when indisvalid then '' else ' not valid' end as name from pg_index
    join pg_class on pg_class.oid = indexrelid where indrelid = 'a'::regclass order by 1`;
  return rows.map(({ name }) => name);
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

  it("rejects a database of another encoding, and says how to create one", async () => {
    const { database: administrator, url } = await emptyDatabase();
    const name = `${new URL(url).pathname.slice(1)}_ascii`;
    await administrator.unsafe(
      `create database ${name} encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0`,
    );
    opened.push({ close: async () => void (await administrator.unsafe(`drop database ${name}`)) });
    const database = connect({
      url: Object.assign(new URL(url), { pathname: name }).href,
      poolSize: 1,
      prepare: true,
      name: "ascii",
    });
    opened.push({ close: () => database.end() });
    await expect(migrate(database)).rejects.toThrow(
      new SchemaError(
        "The database has the encoding SQL_ASCII; it must be UTF8. Create another one with `createdb --encoding=UTF8 --template=template0`.",
      ),
    );
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

  it("runs with newer migrations that say so, and with no others", async () => {
    const { database } = await emptyDatabase();
    const first = migration(1, "create table a ()");
    const added = migration(2, "-- compatible since 0001\ncreate table b ()");
    const removed = migration(3, "-- compatible since 0002\ndrop table a");
    await migrate(database, [first, added]);
    expect(await checkSchema(database, [first])).toEqual({ newer: ["0002_step"] });
    expect(await migrate(database, [first])).toEqual([]);
    await migrate(database, [first, added, removed]);
    await expect(checkSchema(database, [first])).rejects.toThrow("0003_step, which this version does not");
    expect(await checkSchema(database, [first, added])).toEqual({ newer: ["0003_step"] });
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

  it("lets others go first while it waits for a lock, says whom it waits for, and is applied then", async () => {
    const { database, url } = await emptyDatabase();
    const first = migration(1, "create table a (id integer)");
    await migrate(database, [first]);
    const reader = connect({ url, poolSize: 1, prepare: false, name: "a long dump" });
    opened.push({ close: () => reader.end() });
    let endDump = () => {};
    const dumped = new Promise<void>((resolve) => {
      endDump = resolve;
    });
    let dump: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      dump = reader.begin(async (sql) => {
        await sql`select from a`;
        resolve();
        await dumped;
      });
    });
    const second = migration(2, "alter table a add column name text");
    const waits: WaitingMigration[] = [];
    const writes: Promise<unknown>[] = [];
    const migrating = migrate(database, [first, second], {
      pause_milliseconds: 20,
      onWaiting: (waiting) => {
        waits.push(waiting);
        // Between two attempts, nothing waits in front of it.
        writes.push(database`insert into a values (1)`.execute());
        if (waits.length === 3) endDump();
      },
    });
    expect(await migrating).toEqual(["0002_step"]);
    await Promise.all([...writes, dump]);
    expect(waits.length).toBeGreaterThanOrEqual(3);
    expect(waits[0]).toMatchObject({
      name: "0002_step",
      blockers: [{ program: "a long dump", state: "idle in transaction" }],
    });
  });

  it("gives up in the end, and names the session", async () => {
    const { database, url } = await emptyDatabase();
    const first = migration(1, "create table a (id integer)");
    await migrate(database, [first]);
    const reader = connect({ url, poolSize: 1, prepare: false, name: "a long dump" });
    opened.push({ close: () => reader.end() });
    await reader.begin(async (sql) => {
      await sql`select from a`;
      const second = migration(2, "alter table a add column name text");
      await expect(migrate(database, [first, second], { patience_seconds: 0 })).rejects.toThrow(
        /0002_step did not get its locks in 0 s\. It waited for process [0-9]+ \(a long dump, user /,
      );
    });
  });

  it("builds indexes outside of a transaction, while others write, and resumes", async () => {
    const { database, url } = await emptyDatabase();
    const first = migration(
      1,
      "create table a (id integer, name text); insert into a values (1, 'x'), (1, 'y')",
    );
    const second = migration(
      2,
      `-- outside of a transaction
      create unique index concurrently if not exists a_id on a (id);
      create index concurrently if not exists a_name on a (name)`,
    );
    await migrate(database, [first]);
    // Two rows have the same id: the attempt leaves an index that is not valid.
    await expect(migrate(database, [first, second])).rejects.toThrow("could not create unique index");
    expect(await indexes(database)).toEqual(["a_id not valid"]);
    await database`delete from a where name = 'y'`;
    const writer = connect({ url, poolSize: 1, prepare: false, name: "writer" });
    opened.push({ close: () => writer.end() });
    const [applied] = await Promise.all([
      Promise.all([migrate(database, [first, second]), migrate(writer, [first, second])]),
      writer`insert into a values (2, 'z')`,
    ]);
    expect(applied.flat()).toEqual(["0002_step"]);
    expect(await indexes(database)).toEqual(["a_id", "a_name"]);
  });

  it("refuses statements outside of a transaction that cannot be repeated", async () => {
    const { database } = await emptyDatabase();
    const wrong = migration(1, "-- outside of a transaction\ninsert into a values (1)");
    await expect(migrate(database, [wrong])).rejects.toThrow("and not: insert into a values (1)");
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
