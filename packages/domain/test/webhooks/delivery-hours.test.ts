/*
 * The histogram of an endpoint's deliveries is exact, both for counted and for read hours, and with
 * deliveries that end late.
 */
import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { cancelDeliveries } from "@findersfee/database/webhooks/deliveries";
import { countDeliveryHours } from "@findersfee/database/webhooks/delivery-counts";
import { recordResults } from "@findersfee/database/webhooks/delivery-results";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { firstIdOf } from "../../src/ids.ts";
import { countDeliveries } from "../../src/webhooks/deliveries/counts.ts";
import { retryDeliveries } from "../../src/webhooks/deliveries/retry-many.ts";
import { addEndpoint, makeContext, recordEvents } from "../subscriber.ts";
import { sealDueTotals } from "../work.ts";
import { attemptDue } from "./attempts.ts";

const HOUR = 3_600_000;
const HOURS = 12;
/** The ages of the events. The last ones are in hours that ended less than an hour ago. */
const AGES = [9, 5, 3, 1, 0];

let test: TestDatabase;
let context: Context;
let endpoint_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

/** In each hour, one delivery arrives, one fails, one is retried and one waits. */
beforeEach(async () => {
  context = await makeContext(test.database);
  ({ id: endpoint_id } = await addEndpoint(context));
  // The organization would have counted the hours since its creation.
  await test.database`
    update total_seals set deliveries_until = deliveries_until - interval '10 hours', due_at = now()
    where organization_id = ${context.organization.id}`;
  for (const age of AGES) {
    const at = new Date(Date.now() - age * HOUR);
    await recordEvents(context, 1, at);
    await attemptDue(context, {});
    await recordEvents(context, 1, at);
    await attemptDue(context, { state: "exhausted", status: null, error_code: "timeout" });
    await recordEvents(context, 1, at);
    await attemptDue(context, { state: "scheduled", status: 502, error_code: "http_status" });
  }
  for (const age of AGES) await recordEvents(context, 1, new Date(Date.now() - age * HOUR));
});

type Hour = Awaited<ReturnType<typeof countDeliveries>>["hours"][number];

/** The rows of all attempts and pending deliveries, counted one by one. */
async function countRows(): Promise<Hour[]> {
  const rows = await test.database<{ event_id: string; state: string; failures: number }[]>`
    select event_id, state, failures from deliveries
    where organization_id = ${context.organization.id} and endpoint_id = ${endpoint_id}`;
  const hours = new Map<string, Hour>();
  for (const { event_id, state, failures } of rows) {
    const at = Number.parseInt(event_id.replace("-", "").slice(0, 12), 16);
    const hour = new Date(Math.floor(at / HOUR) * HOUR).toISOString();
    const counted = hours.get(hour) ?? { hour, delivered: 0, failed: 0, retrying: 0 };
    if (state === "delivered") counted.delivered += 1;
    else if (state !== "pending") counted.failed += 1;
    else if (failures > 0) counted.retrying += 1;
    hours.set(hour, counted);
  }
  return [...hours.values()].sort((one, other) => (one.hour < other.hour ? -1 : 1));
}

async function expectExact(): Promise<void> {
  const { hours, is_complete } = await countDeliveries(context, { endpoint_id, hours: HOURS });
  const some = (counted: Hour[]) =>
    counted.filter(({ delivered, failed, retrying }) => delivered + failed + retrying > 0);
  expect(some(hours)).toEqual(some(await countRows()));
  expect(is_complete).toBe(true);
}

/** The rows of a table of the organization, of hours that are counted. */
async function rowsIn(table: "delivery_hours" | "delivery_changes"): Promise<number> {
  const rows = await test.database`
    select from ${test.database(table)} join total_seals using (organization_id)
    where organization_id = ${context.organization.id} and hour < deliveries_until`;
  return rows.length;
}

async function seal(): Promise<void> {
  await test.database`update total_seals set due_at = now() where organization_id = ${context.organization.id}`;
  await sealDueTotals(context);
}

/** Everything that can happen to a delivery of any hour. */
const CHANGES: [name: string, change: () => Promise<unknown>][] = [
  ["a waiting delivery arrives", () => attemptDue(context, {})],
  ["a waiting delivery fails for good", () => attemptDue(context, { state: "exhausted", status: 500 })],
  [
    "all failed ones are sent again, and arrive",
    async () => {
      await retryDeliveries(context, { filter: { endpoint_id, states: ["exhausted"] } });
      await expectExact();
      await attemptDue(context, {});
    },
  ],
  [
    "all that wait are canceled, and one arrives all the same",
    async () => {
      const [first] = await test.database<{ event_id: string }[]>`
        select event_id from pending_deliveries where endpoint_id = ${endpoint_id} order by event_id limit 1`;
      const arrival = test.database`
        select organization_id, endpoint_id, event_id, attempts from pending_deliveries
        where endpoint_id = ${endpoint_id} and event_id = ${first?.event_id ?? null}`;
      const [read] = await arrival;
      await transaction(test.database, (sql) => cancelDeliveries(sql, context.organization.id, endpoint_id));
      await expectExact();
      await attemptOf(read as never);
    },
  ],
];

async function attemptOf(read: {
  organization_id: string;
  endpoint_id: string;
  event_id: string;
}): Promise<void> {
  await recordResults(test.database, [
    {
      ...read,
      attempts: 0,
      sent: true,
      state: "delivered",
      next_attempt_in: null,
      failures: 0,
      attempted_at: new Date(),
      duration_milliseconds: 5,
      status: 204,
      error_code: null,
      error_message: null,
      response: "",
    },
  ]);
}

it("reads hours that are over as they were counted, and the rows of others", async () => {
  await expectExact();
  await seal();
  await expectExact();
  expect(await rowsIn("delivery_hours")).toBe(3);
  expect(await rowsIn("delivery_changes")).toBe(0);
  // Proves that the rows are not read again.
  await test.database`update delivery_hours set delivered = delivered + 1000 where endpoint_id = ${endpoint_id}`;
  const { hours } = await countDeliveries(context, { endpoint_id, hours: HOURS });
  expect(hours.filter(({ delivered }) => delivered > 1000)).toHaveLength(3);
});

it.each(CHANGES)("stays exact when %s", async (_, change) => {
  await seal();
  await change();
  await expectExact();
  expect(await rowsIn("delivery_changes")).toBeGreaterThan(0);
  await seal();
  await expectExact();
  // The next hour that is counted takes the differences of earlier ones.
  await test.database`
    update total_seals set deliveries_until = deliveries_until - interval '1 hour'
    where organization_id = ${context.organization.id}`;
  await test.database`
    delete from delivery_hours
    where hour >= (select deliveries_until from total_seals where organization_id = ${context.organization.id})
      and organization_id = ${context.organization.id}`;
  await seal();
  await expectExact();
  expect(await rowsIn("delivery_changes")).toBe(0);
});

it("stays exact when deliveries change before their hours are counted", async () => {
  for (const [, change] of CHANGES) await change();
  await expectExact();
  await seal();
  await expectExact();
});

it("says that there are more where counting stops, and forgets old hours", async () => {
  const { id } = context.organization;
  const starts = [-1, 0, 1].map((hour) => new Date((Math.floor(Date.now() / HOUR) + hour) * HOUR));
  const attempted = { from: new Date(Date.now() - 24 * HOUR), until: new Date(Date.now() + HOUR) };
  const count = (most: number) =>
    countDeliveryHours(test.database, id, {
      endpoint_id,
      hours: starts,
      bounds: starts.map(firstIdOf),
      attempted,
      most,
    });
  expect((await count(100)).map(({ is_complete }) => is_complete)).toEqual([true, true]);
  expect((await count(2)).map(({ is_complete }) => is_complete)).toEqual([false, false]);
  await test.database`
    insert into delivery_hours (organization_id, hour, endpoint_id, delivered, failed)
    values (${id}, now() - interval '30 days', ${endpoint_id}, 1, 1)`;
  await seal();
  expect(await rowsIn("delivery_hours")).toBe(3);
});
