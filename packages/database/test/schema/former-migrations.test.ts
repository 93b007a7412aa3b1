import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { findBroken, inSnapshot, ledger_checks } from "../../src/ledger/checks.ts";
import { type Migration, readMigrations } from "../../src/migrations.ts";
import type { Database } from "../../src/postgres/connect.ts";
import { findBrokenTotals } from "../../src/reports/totals/checks.ts";
import { checkSchema, SchemaError } from "../../src/schema/check.ts";
import { BASELINE_LENGTH } from "../../src/schema/former-migrations.ts";
import { migrate } from "../../src/schema/migrate.ts";
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
  const former = await formerDatabase("schema");
  // Each migration of a database adds it.
  await former`alter table schema_migrations add column compatible_since integer`;
  expect(lines).toEqual(await describeSchema(former));
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

/** A manual commission for the payment intent of the invoice in_1, which has a commission of its own. */
async function earnTwice(database: Database): Promise<void> {
  await database.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into payment_facts (organization_id, processor, kind, subject, customer_id, state_at, rank, message_id, data)
      select organization_id, processor, 'link', 'pi_1', customer_id, state_at, rank, 'evt_2',
        '{"references": ["in_1"]}'
      from payment_facts where subject = 'in_1'`;
    await sql`
      insert into customer_keys (organization_id, key, customer_id)
      select organization_id, 'stripe:payment:' || id, customer_id
      from payment_facts cross join unnest(array['in_1', 'pi_1']) as id where subject = 'in_1'`;
    await sql`
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
        currency, voided, referral_date, payable_at, processor_payment_id, cause, created_at)
      select organization_id, ${BY_HAND}, affiliate_id, referral_id, revenue_minor, commission_minor,
        currency, voided, referral_date, payable_at, 'pi_1', cause, created_at
      from commissions where processor_payment_id = 'in_1'`;
  });
}

const BY_HAND = "019ba759-3500-7000-8000-0000000000f1";

it("reports payments that earned twice in the former schema, and keeps both commissions", async () => {
  const database = await formerDatabase("schema", "rows");
  await earnTwice(database);
  const before = (await rowsByTable(database)).get("commissions");
  expect(before).toHaveLength(4);
  await migrate(database);
  const after = (await rowsByTable(database)).get("commissions") ?? [];
  // Later migrations append columns.
  expect(after.map((line, index) => line.slice(0, (before?.[index]?.length ?? 0) - 1))).toEqual(
    before?.map((line) => line.slice(0, -1)),
  );
  const check = ledger_checks.find(({ name }) => name === "payment_commissions");
  if (check === undefined) throw new Error("there is no such rule");
  expect(check.level).toBe("warning");
  const found = await findBroken(database, null, { check, limit: null });
  expect(found.rows).toMatchObject([
    {
      subject: "payment in_1",
      finding: `its commissions are 019ba759-3500-7000-8000-000000000021 and ${BY_HAND}`,
    },
  ]);
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
