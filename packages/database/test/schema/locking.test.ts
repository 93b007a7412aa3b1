import { expect, it } from "vitest";
import { compatibleSince, readMigrations } from "../../src/migrations.ts";
import { lockingStatements, SMALL_TABLES } from "./locking.ts";

/** The migrations up to here belong to the first release: nobody runs on a database without them. */
const FIRST_RELEASE = 72;

it("no migration keeps others from a large table", async () => {
  const later = (await readMigrations()).filter(({ number }) => number > FIRST_RELEASE);
  const found = later.flatMap(({ name, sql }) =>
    lockingStatements(sql).map(({ statement, instead }) => `${name}: ${statement}: ${instead}`),
  );
  expect(found).toEqual([]);
});

it("names small tables that exist", async () => {
  const created = (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/^create table (\w+)/gm)].map(([, name = ""]) => name),
  );
  // `migrate` creates it.
  const tables = new Set([...created, "schema_migrations"]);
  expect([...SMALL_TABLES].filter((name) => !tables.has(name))).toEqual([]);
});

it("names versions that exist", async () => {
  for (const migration of await readMigrations()) {
    const since = compatibleSince(migration);
    expect(since, migration.name).toBeGreaterThan(0);
    expect(since, migration.name).toBeLessThanOrEqual(migration.number);
  }
});

it.each([
  "create index commissions_note on commissions (organization_id, note);",
  "create unique index concurrently_named on clicks (id);",
  "drop index commissions_note;",
  "alter table commissions add constraint positive check (commission_minor > 0);",
  "alter table commissions\n  add column note text,\n  add foreign key (payout_id) references payouts (id);",
  "alter table referrals alter column email type citext;",
  "alter table events alter column body set not null;",
  "alter table events add column token uuid default gen_random_uuid();",
  "alter table commissions add column of_payout uuid references payouts (id);",
  "alter table payouts add constraint one unique (organization_id, number);",
  "-- compatible since 0070\nupdate commissions set note = '';",
  "delete from clicks where clicked_at < now();",
  "lock table commissions;",
])("finds %s", (sql) => {
  expect(lockingStatements(sql)).toHaveLength(1);
});

it.each([
  "create index concurrently if not exists commissions_note on commissions (organization_id, note);",
  "drop index concurrently if exists commissions_note;",
  "alter table commissions add column note text;",
  "alter table commissions add column is_new boolean not null default false;",
  "alter table commissions add constraint positive check (commission_minor > 0) not valid;",
  "alter table commissions validate constraint positive;",
  "alter table events add constraint events_type_check check (type in ('a', 'b')) not valid;",
  "alter table campaigns add column note text check (note <> '');",
  "create table notes (id uuid primary key);\ncreate index notes_id on notes (id);",
  "alter table payouts add constraint one unique using index payouts_one;",
  "create or replace function f() returns trigger language plpgsql as $$ begin update commissions set note = ''; end $$;",
])("accepts %s", (sql) => {
  expect(lockingStatements(sql)).toEqual([]);
});
