import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { alignEventClock } from "../../src/webhooks/event-clock.ts";
import { insertEvent, listEvents } from "../../src/webhooks/events.ts";
import { createTestDatabase, type TestDatabase, withoutTriggers } from "../test-database.ts";

let test: TestDatabase;
const organizationId = randomUUID();

beforeAll(async () => {
  test = await createTestDatabase();
  await test.database`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (${organizationId}, 'Acme', 'acme', 'USD', 'active', now())`;
});

afterAll(() => test.close());

async function recordEvent(): Promise<string> {
  const event = { id: randomUUID(), type: "referral.created", body: "{}", created_at: new Date() };
  await insertEvent(test.database, organizationId, event);
  return event.id;
}

async function listedIds(): Promise<string[]> {
  const filter = { after: null, types: null, not_before: new Date(0), limit: 100 };
  return (await listEvents(test.database, organizationId, filter)).map((event) => event.id);
}

async function xidOffset(): Promise<bigint> {
  const [row] = await test.database<[{ xid_offset: bigint }]>`select xid_offset from event_clock`;
  return row.xid_offset;
}

it("changes nothing without a restore", async () => {
  await alignEventClock(test.database);
  await recordEvent();
  await alignEventClock(test.database);
  expect(await xidOffset()).toBe(0n);
});

it("orders new audit log entries after those restored, without any event", async () => {
  const position = 9_000_000_000n;
  await withoutTriggers(
    test.database,
    (sql) => sql`
      insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, after, position, created_at)
      values (${organizationId}, ${randomUUID()}, 'campaign', 'id', 'created', 'operator', '{}', ${position}, now())`,
  );
  await alignEventClock(test.database);
  const [row] = await test.database<[{ next: bigint }]>`select feed_position() as next`;
  expect(row.next).toBeGreaterThan(position);
  await test.database`update event_clock set xid_offset = 0`;
  await withoutTriggers(test.database, (sql) => sql`delete from audit_log_entries`);
});

it("orders new events after those restored from a cluster with a later counter", async () => {
  const before = await recordEvent();
  // A dump of an older cluster brings positions that this cluster has yet to reach.
  await test.database`update events set position = position + 5000000000`;
  await Promise.all([1, 2, 3, 4].map(() => alignEventClock(test.database)));
  const offset = await xidOffset();
  expect(offset).toBeGreaterThan(4_000_000_000n);

  const after = await recordEvent();
  // The feed waits for every open transaction of the server, including other tests' transactions.
  await expect.poll(async () => (await listedIds()).slice(-2)).toEqual([before, after]);

  await alignEventClock(test.database);
  expect(await xidOffset()).toBe(offset);
});
