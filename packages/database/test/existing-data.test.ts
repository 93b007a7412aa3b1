/* Migrations keep the meaning of data that older versions wrote: each test stops before one, fills in rows, and goes on. */
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import type { Database } from "../src/connect.ts";
import { migrate } from "../src/migrate.ts";
import { readMigrations } from "../src/migrations.ts";
import { ATTEMPTS, makePartitions } from "../src/partitions.ts";
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
  const sql = await databaseBefore(33);
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

it("keeps erased affiliates erased, and those that got data again erasable", async () => {
  const sql = await databaseBefore(32);
  const organization_id = await addOrganization(sql);
  const created_at = new Date();
  const campaign_id = randomUUID();
  await sql`
    insert into campaigns (organization_id, id, name, website_url, commission_type, commission_value, is_default, limit_type,
      code_mode, custom_commission_type, custom_commissions, approval_needed, collect_details, custom_fields, hide_emails,
      cookie_duration, first_payment_enabled, first_payment_type, first_payment_value, customers, attribution,
      commission_cap, skip_prorations, created_at)
    values (${organization_id}, ${campaign_id}, 'Partners', 'https://shop.test', 'percentage', 300000, true, 'none', 'link', 'none',
      '[]', false, false, '[]', false, 30, false, 'percentage', 0, 'new', 'last_click',
      true, false, ${created_at})`;
  const erased_at = new Date("2026-11-01T12:00:00Z");
  const add = async ({ first_name = "", code = null as string | null, was_erased = true }) => {
    const [id, code_id] = [randomUUID(), randomUUID()];
    const email = `${id}@erased.invalid`;
    await sql`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      values (${organization_id}, ${id}, ${campaign_id}, ${email}, ${first_name}, '', true, true, false, ${created_at})`;
    await sql`
      insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at)
      values (${organization_id}, ${code_id}, ${id}, 'link', ${code ?? `erased-${code_id}`}, ${created_at})`;
    if (!was_erased) return id;
    for (const at of [new Date("2026-10-01T12:00:00Z"), erased_at]) {
      await sql`
        insert into changes (organization_id, id, resource, resource_id, action, actor, before, after, created_at)
        values (${organization_id}, ${randomUUID()}, 'affiliate', ${id}, 'erased', 'operator', '{}', '{}', ${at})`;
    }
    return id;
  };
  const erased = await add({});
  const others = [
    await add({ first_name: "Jane" }),
    await add({ code: "jane" }),
    await add({ was_erased: false }),
  ];
  await migrate(sql);
  const erasedAt = async (id: string) =>
    (await sql`select erased_at from affiliates where id = ${id}`)[0]?.erased_at;
  expect(await erasedAt(erased)).toEqual(erased_at);
  for (const id of others) expect(await erasedAt(id)).toBeNull();
});

it("keeps pending deliveries, and how the others ended", async () => {
  const sql = await databaseBefore(34);
  const organization_id = await addOrganization(sql);
  const endpoint_id = randomUUID();
  const now = new Date();
  await sql`
    insert into endpoints (organization_id, id, url, description, enabled, created_at)
    values (${organization_id}, ${endpoint_id}, 'https://example.com/', '', true, ${now})`;
  await makePartitions(sql, ATTEMPTS, { ahead: 0, now });
  const add = async (state: string, attempts: number) => {
    const event_id = randomUUID();
    await sql`
      insert into events (organization_id, id, type, body, position, created_at)
      values (${organization_id}, ${event_id}, 'commission.created', '{}', 1, ${now})`;
    await sql`
      insert into deliveries (organization_id, event_id, endpoint_id, state, next_attempt_at, created_at, attempts,
        failures, last_attempt_at, claimed_by)
      values (${organization_id}, ${event_id}, ${endpoint_id}, ${state}, ${state === "scheduled" ? now : null}, ${now},
        ${attempts}, ${attempts}, ${attempts > 0 ? now : null}, ${state === "sending" ? randomUUID() : null})`;
    for (let number = 1; number <= attempts; number++) {
      const attempted_at = new Date(now.getTime() - (attempts - number) * 1000);
      await sql`
        insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, response)
        values (${organization_id}, ${event_id}, ${endpoint_id}, ${attempted_at}, ${number}, 5, '')`;
    }
    return event_id;
  };
  const pending = [
    [await add("scheduled", 2), 2],
    [await add("waiting", 0), 0],
    [await add("sending", 1), 1],
  ] as const;
  const ended = {
    delivered: await add("delivered", 2),
    exhausted: await add("exhausted", 8),
    canceled: await add("canceled", 1),
    canceled_at_once: await add("canceled", 0),
  };
  await migrate(sql);
  const find = async (event_id: string) => {
    const rows =
      await sql`select state, attempts, next_attempt_at from deliveries where event_id = ${event_id}`;
    expect(rows).toHaveLength(1);
    return rows[0];
  };
  for (const [event_id, attempts] of pending) {
    expect(await find(event_id)).toMatchObject({
      state: "pending",
      attempts,
      next_attempt_at: expect.any(Date),
    });
  }
  const [shard] = await sql`select distinct shard from pending_deliveries`;
  expect(shard).toEqual({ shard: Number.parseInt(endpoint_id.slice(-2), 16) % 32 });
  expect(await find(ended.delivered)).toMatchObject({ state: "delivered", attempts: 2 });
  expect(await find(ended.exhausted)).toMatchObject({ state: "exhausted", attempts: 8 });
  expect(await find(ended.canceled)).toMatchObject({ state: "canceled", attempts: 1 });
  expect(await find(ended.canceled_at_once)).toMatchObject({ state: "canceled", attempts: 0 });
});
