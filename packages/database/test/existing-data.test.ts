/* Migrations keep the meaning of data that older versions wrote: each test stops before one, fills in rows, and goes on. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import type { Database } from "../src/connect.ts";
import { migrate } from "../src/migrate.ts";
import { readMigrations } from "../src/migrations.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let test: TestDatabase;

afterEach(() => test.close());

/** A database with all migrations before the one with this number, or a later one. */
async function databaseBefore(number: number): Promise<Database> {
  test = await createTestDatabase({ migrated: false });
  await migrate(test.database, (await readMigrations()).slice(0, number - 1));
  return test.database;
}

async function addOrganization(sql: Database, columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const row = { id, name: "Acme", currency: "USD", subscription_status: "active", created_at: new Date() };
  await sql`insert into organizations ${sql({ ...row, ...columns } as never)}`;
  return id;
}

it("keeps the minimum payout as the minimum of the organization's currency", async () => {
  const sql = await databaseBefore(16);
  const organization_id = await addOrganization(sql, { currency: "JPY", minimum_payout_minor: 5_000n });
  const without = await addOrganization(sql);
  const run = {
    organization_id,
    id: randomUUID(),
    period: "2026-10",
    method: "manual",
    started_by: "payout day",
  };
  const now = new Date();
  await sql`insert into payout_runs ${sql({
    ...run,
    currency: "USD",
    minimum_payout_minor: 4_200n,
    cutoff_at: now,
    created_at: now,
  } as never)}`;
  await migrate(sql);
  const minimumsOf = async (id: string) =>
    (await sql`select minimum_payouts from organizations where id = ${id}`)[0]?.minimum_payouts;
  expect(await minimumsOf(organization_id)).toEqual({ JPY: "5000" });
  expect(await minimumsOf(without)).toEqual({});
  expect([...(await sql`select minimum_payouts, currency from payout_runs`)]).toEqual([
    { minimum_payouts: { USD: "4200" }, currency: "USD" },
  ]);
});

it("refuses minimums that are not amounts of a currency", async () => {
  const sql = await databaseBefore(17);
  const id = await addOrganization(sql);
  for (const minimums of ['{"usd": "1"}', '{"USD": 1}', '{"USD": "0"}', '{"USD": "-1"}', '["USD"]', "null"]) {
    const write = sql`update organizations set minimum_payouts = ${minimums}::text::jsonb where id = ${id}`;
    await expect(write).rejects.toMatchObject({ code: "23514" });
  }
});

it("keeps an endpoint's current secret, and a former one until its end", async () => {
  const sql = await databaseBefore(30);
  const organization_id = await addOrganization(sql);
  const created_at = new Date("2026-01-01T00:00:00.000Z");
  const soon = new Date(Date.now() + 3_600_000);
  const addEndpoint = async (previous: Buffer | null, ends: Date | null) => {
    const id = randomUUID();
    await sql`
      insert into endpoints (organization_id, id, url, description, enabled, created_at, secret_encrypted,
        previous_secret_encrypted, previous_secret_expires_at)
      values (${organization_id}, ${id}, 'https://example.com/', '', true, ${created_at}, ${Buffer.from(id)},
        ${previous}, ${ends})`;
    return id;
  };
  const never_rotated = await addEndpoint(null, null);
  const rotated = await addEndpoint(Buffer.from("former"), soon);
  const rotated_long_ago = await addEndpoint(Buffer.from("expired"), new Date(Date.now() - 1000));
  await migrate(sql);
  const secretsOf = async (endpoint_id: string) => [
    ...(await sql`
      select secret_encrypted, expires_at from endpoint_secrets
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id}
      order by expires_at nulls first`),
  ];
  const current = (id: string) => ({ secret_encrypted: Buffer.from(id), expires_at: null });
  expect(await secretsOf(never_rotated)).toEqual([current(never_rotated)]);
  expect(await secretsOf(rotated)).toEqual([
    current(rotated),
    { secret_encrypted: Buffer.from("former"), expires_at: soon },
  ]);
  expect(await secretsOf(rotated_long_ago)).toEqual([current(rotated_long_ago)]);
});
