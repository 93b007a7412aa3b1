import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import { listEndpointHealth } from "../../src/webhooks/endpoints/health.ts";
import { addEndpoint, makeContext, recordEvents } from "../subscriber.ts";
import { attemptDue } from "./attempts.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  context = await makeContext(test.database);
});

afterAll(() => test.close());

async function healthOf(endpoint_id: string) {
  const { data } = await listEndpointHealth(context);
  return data.find((one) => one.endpoint_id === endpoint_id);
}

it("counts each endpoint's deliveries of the last 24 hours by outcome", async () => {
  const good = await addEndpoint(context);
  await recordEvents(context, 3);
  for (const duration_milliseconds of [10, 30, 80]) {
    const [first] = await attemptDue(context, { limit: 1, duration_milliseconds });
    expect(first?.endpoint_id).toBe(good.id);
  }
  const bad = await addEndpoint(context, { url: "https://bad.example.com" });
  const [event_id] = await recordEvents(context, 1);
  await attemptDue(context, {
    endpoint_id: bad.id,
    state: "scheduled",
    status: 502,
    error_code: "http_status",
  });
  expect(await healthOf(good.id)).toMatchObject({
    state: "ok",
    failing_since: null,
    disabled_reason: null,
    pending: 1,
    attempted: 3,
    delivered: 3,
    delivered_percent: 100,
    p50_milliseconds: 30,
    last_failure: null,
  });
  expect(await healthOf(bad.id)).toMatchObject({
    state: "failing",
    failing_since: expect.any(String),
    pending: 1,
    attempted: 1,
    delivered: 0,
    delivered_percent: 0,
    p50_milliseconds: null,
    last_failure: { event_id, status: 502, error_code: "http_status", failed_at: expect.any(String) },
  });
});

it("counts a delivery once, by its state now, and rounds no failure away", async () => {
  const { id } = await addEndpoint(context);
  await recordEvents(context, 2_001);
  await attemptDue(context, { limit: 2_000 });
  await attemptDue(context, { state: "exhausted", status: null, error_code: "timeout" });
  expect(await healthOf(id)).toMatchObject({ attempted: 1_000, delivered: 999, delivered_percent: 99.9 });
  expect((await listEndpointHealth(context)).most_counted).toBe(1_000);
});

it("says who disabled an endpoint, and shows endpoints without deliveries", async () => {
  const { id } = await addEndpoint(context);
  expect(await healthOf(id)).toMatchObject({
    state: "ok",
    attempted: 0,
    delivered_percent: null,
    pending: 0,
  });
  await disableEndpoint(context, id);
  expect(await healthOf(id)).toMatchObject({
    state: "disabled",
    disabled_reason: "operator",
    disabled_at: expect.any(String),
  });
});

it("leaves out older events and other organizations", async () => {
  const { id } = await addEndpoint(context);
  await recordEvents(context, 1, new Date(Date.now() - 25 * 3_600_000));
  await attemptDue(context, {});
  expect(await healthOf(id)).toMatchObject({ attempted: 0 });
  const stranger = await makeContext(test.database);
  expect((await listEndpointHealth(stranger)).data).toEqual([]);
});

it("takes as many statements for many endpoints as for one", async () => {
  await addEndpoint(context);
  const one = await statementsOf(test.database, () => listEndpointHealth(context));
  for (let number = 0; number < 5; number++) await addEndpoint(context);
  await recordEvents(context, 3);
  await attemptDue(context, {});
  const many = await statementsOf(test.database, () => listEndpointHealth(context));
  expect(many.length).toBe(one.length);
  expect(one.length).toBe(2);
});
