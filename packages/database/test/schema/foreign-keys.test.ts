import { afterAll, beforeAll, expect, it } from "vitest";
import { readMigrations } from "../../src/migrations.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** The comment right above each `create table`, by table. */
async function commentsOfTables(): Promise<Map<string, string>> {
  const comments = new Map<string, string>();
  for (const { sql } of await readMigrations()) {
    for (const [, comment = "", table = ""] of sql.matchAll(
      /((?:^--.*\n)*)^create (?:unlogged )?table (\w+)/gm,
    )) {
      comments.set(table, comment.replaceAll(/\n-- ?/g, " "));
    }
  }
  return comments;
}

it("each table of an organization has a foreign key or a documented reason", async () => {
  const comments = await commentsOfTables();
  const tables = await test.database<{ name: string; has_key: boolean }[]>`
    select class.relname as name, exists (
        select from pg_constraint where conrelid = class.oid and contype = 'f') as has_key
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'organization_id'
    where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
    order by name`;
  expect(tables.length).toBeGreaterThan(30);
  const unexplained = tables.filter(({ name, has_key }) => {
    const comment = comments.get(name);
    if (comment === undefined) throw new Error(`the migrations do not create the table ${name}`);
    return has_key === /No foreign key/.test(comment);
  });
  expect(unexplained.map(({ name }) => name)).toEqual([]);
});

// Sessions and codes of the portal belong to an address; `limited_to` is the organization to which they are
// limited.
// A saved view of test data belongs to a member of its organization, which `member_of` is.
// A session of a provider belongs to a person; `provider_organization_id` is the organization of the
// provider.
it("each foreign key includes the organization, unless it names a person, their session or security event, or the organization of test data", async () => {
  const keys = await test.database<{ key: string }[]>`
    select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) as key
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'f'
      and pg_get_constraintdef(oid) !~ '^FOREIGN KEY \\((organization_id|limited_to|provider_organization_id|member_of)[,)]'
      and confrelid not in ('users'::regclass, 'user_sessions'::regclass, 'security_events'::regclass)
      and pg_get_constraintdef(oid) not like 'FOREIGN KEY (test_of)%'`;
  expect(keys).toEqual([]);
});
