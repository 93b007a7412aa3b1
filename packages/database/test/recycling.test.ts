import { afterEach, beforeEach, expect, it } from "vitest";
import { recycle } from "./recycling.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let test: TestDatabase;
let name: string;

beforeEach(async () => {
  test = await createTestDatabase({ fresh: true });
  name = new URL(test.url).pathname.slice(1);
});

afterEach(() => test.close());

const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

async function addOrganizations(count: number): Promise<void> {
  await test.database`
    insert into organizations (id, name, currency, slug, subscription_status, created_at)
    select case number when 1 then ${ID}::uuid else gen_random_uuid() end, 'Acme', 'USD', 'acme-' || number, 'active', now()
    from generate_series(1, ${count}::int) number`;
}

it("has the rows of a migrated database again", async () => {
  const shards = await test.database`select * from shards order by shard`;
  const migrations = await test.database`select * from schema_migrations order by 1`;
  await addOrganizations(2);
  await test.database`update shards set token = token + 1`;
  expect(await recycle(test.database, name)).toBe(true);
  expect(await test.database`select from organizations`).toEqual([]);
  expect(await test.database`select * from shards order by shard`).toEqual(shards);
  expect(await test.database`select * from schema_migrations order by 1`).toEqual(migrations);
  await addOrganizations(1);
  expect(await recycle(test.database, name)).toBe(true);
});

it("is refused after a change of the schema, and after a drop", async () => {
  await test.database`create table temporary_table (id int)`;
  expect(await recycle(test.database, name)).toBe(false);
  await test.database`drop table temporary_table`;
  expect(await recycle(test.database, name)).toBe(false);
});

it("is refused while a transaction of the test is open", async () => {
  const [begun, end] = [deferred(), deferred()];
  const held = test.database.begin(async (sql) => {
    await sql`select 1`;
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  expect(await recycle(test.database, name)).toBe(false);
  end.resolve();
  await held;
  expect(await recycle(test.database, name)).toBe(true);
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

it("is refused if many rows would have to be deleted", async () => {
  await addOrganizations(1_001);
  expect(await recycle(test.database, name)).toBe(false);
});
