import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(() => test.close());

it("rejects minimum payouts that are not amounts of a currency", async () => {
  const sql = test.database;
  const id = randomUUID();
  await sql`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (${id}, 'Acme', 'acme', 'USD', 'active', now())`;
  const write = (minimums: string) =>
    sql`update organizations set minimum_payouts = ${minimums}::text::jsonb where id = ${id}`;
  for (const minimums of ['{"usd": "1"}', '{"USD": 1}', '{"USD": "0"}', '{"USD": "-1"}', '["USD"]', "null"]) {
    await expect(write(minimums)).rejects.toMatchObject({ code: "23514" });
  }
  expect((await write('{"USD": "5000", "JPY": "1"}')).count).toBe(1);
});
