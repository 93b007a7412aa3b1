import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cancelDeliveries } from "../../src/webhooks/deliveries.ts";
import { type DeliveryResult, recordResults } from "../../src/webhooks/delivery-results.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";

let test: TestDatabase;
let key: { organization_id: string; endpoint_id: string; event_id: string };

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  key = { organization_id: randomUUID(), endpoint_id: randomUUID(), event_id: randomUUID() };
  await test.database`
    insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, created_at)
    values (0, ${key.organization_id}, ${key.endpoint_id}, ${key.event_id}, now(), now())`;
});

let milliseconds = 0;

/** A result of an attempt that was begun later than the one before. */
function result(state: DeliveryResult["state"], { attempts = 0 } = {}): DeliveryResult {
  milliseconds += 1;
  return {
    ...key,
    attempts,
    state,
    sent: true,
    next_attempt_in: state === "scheduled" ? 3_600_000 : null,
    failures: state === "delivered" ? 0 : attempts + 1,
    attempted_at: new Date(Date.now() + milliseconds),
    duration_milliseconds: 5,
    status: state === "delivered" ? 204 : 500,
    error_code: null,
    error_message: null,
    response: "",
  };
}

async function deliveries() {
  const rows = await test.database`
    select state, attempts from deliveries where event_id = ${key.event_id}`;
  return [...rows];
}

async function attempts(): Promise<number> {
  const rows = await test.database`
    select from attempts where event_id = ${key.event_id} and duration_milliseconds is not null`;
  return rows.length;
}

it.each(["delivered", "scheduled", "exhausted"] as const)(
  "records a result once, even if it is repeated: %s",
  async (state) => {
    const results = [result(state)];
    await recordResults(test.database, results);
    const expected = [{ state: state === "scheduled" ? "pending" : state, attempts: 1 }];
    expect(await deliveries()).toEqual(expected);
    await Promise.all([recordResults(test.database, results), recordResults(test.database, results)]);
    expect(await deliveries()).toEqual(expected);
    expect(await attempts()).toBe(1);
  },
);

it("logs all results, also of a process that lost its shard; the first one counts", async () => {
  const lost = result("exhausted");
  await recordResults(test.database, [result("scheduled")]);
  await recordResults(test.database, [lost]);
  expect(await deliveries()).toEqual([{ state: "pending", attempts: 1 }]);
  expect(await attempts()).toBe(2);
});

it("ends a delivery with a success regardless of earlier results", async () => {
  const late = result("delivered");
  await recordResults(test.database, [result("scheduled")]);
  await recordResults(test.database, [late]);
  expect(await deliveries()).toMatchObject([{ state: "delivered" }]);
  await recordResults(test.database, [result("scheduled", { attempts: 1 })]);
  expect(await deliveries()).toMatchObject([{ state: "delivered" }]);
  expect(await attempts()).toBe(3);
});

it.each([
  { state: "delivered", ends: "delivered" },
  { state: "scheduled", ends: "canceled" },
  { state: "exhausted", ends: "canceled" },
] as const)("of a delivery that was canceled meanwhile: $state ends it as $ends", async ({ state, ends }) => {
  await test.database.begin((sql) => cancelDeliveries(sql, key.organization_id, key.endpoint_id));
  const results = [result(state)];
  for (let time = 0; time < 2; time++) {
    await recordResults(test.database, results);
    expect(await deliveries()).toMatchObject([{ state: ends }]);
  }
  expect(await attempts()).toBe(1);
});

it("does not change the health of an endpoint after an unsent attempt", async () => {
  const health = () => test.database`
    select failures from endpoint_health where endpoint_id = ${key.endpoint_id}`;
  await test.database`
    insert into organizations (id, name, slug, currency, subscription_status, created_at)
    values (${key.organization_id}, 'Acme', 'acme', 'USD', 'active', now())`;
  await test.database`
    insert into endpoints (organization_id, id, url, description, enabled, created_at)
    values (${key.organization_id}, ${key.endpoint_id}, 'https://example.com', '', true, now())`;
  await recordResults(test.database, [{ ...result("scheduled"), sent: false, error_code: "proxy" }]);
  expect(await deliveries()).toEqual([{ state: "pending", attempts: 1 }]);
  expect(await attempts()).toBe(1);
  expect([...(await health())]).toEqual([]);
  await recordResults(test.database, [result("scheduled", { attempts: 1 })]);
  await recordResults(test.database, [{ ...result("exhausted", { attempts: 2 }), sent: false }]);
  expect([...(await health())]).toEqual([{ failures: 1 }]);
});
