import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { cancelDeliveries } from "@findersfee/database/webhooks/deliveries";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { retryDelivery } from "../../src/webhooks/deliveries/retry.ts";
import { testEndpoint } from "../../src/webhooks/deliveries/send-test.ts";
import { serializeEvent } from "../../src/webhooks/events/data.ts";
import { getEventWithDeliveries, listEventRows } from "../../src/webhooks/events/list-rows.ts";
import { recordEvent } from "../../src/webhooks/events/record.ts";
import { estimateReplay } from "../../src/webhooks/replays/estimate.ts";
import { addEndpoint, makeContext } from "../subscriber.ts";
import { attemptDue } from "./attempts.ts";

let test: TestDatabase;
let context: Context;
let first: string;
let second: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  context = await makeContext(test.database);
  ({ id: first } = await addEndpoint(context));
  ({ id: second } = await addEndpoint(context, { url: "https://second.example.com" }));
});

afterAll(() => test.close());

async function record(count: number, type: "affiliate.created" | "affiliate.approved" = "affiliate.created") {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const data = { id: context.organization.id, email: "jane@example.com" } as never;
    const event = serializeEvent(type, data, new Date());
    await recordEvent(test.database, context.organization.id, event);
    ids.push(event.id);
  }
  return ids;
}

const list = (query: object = {}) => listEventRows(context, { limit: 50, ...query });
const idsOf = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ id }) => id);

it("lists events newest first, with how their deliveries stand", async () => {
  const [old = ""] = await record(1);
  await attemptDue(context, { endpoint_id: first });
  await attemptDue(context, {
    endpoint_id: second,
    state: "exhausted",
    status: 500,
    error_code: "http_status",
  });
  const [young = ""] = await record(1, "affiliate.approved");
  await transaction(test.database, (sql) => cancelDeliveries(sql, context.organization.id, second));
  await testEndpoint(context, { id: first });
  const { data } = await list();
  expect(data).toMatchObject([
    {
      id: young,
      type: "affiliate.approved",
      deliveries: { pending: 1, delivered: 0, exhausted: 0, canceled: 1 },
    },
    {
      id: old,
      about_email: "jane@example.com",
      deliveries: { pending: 0, delivered: 1, exhausted: 1, canceled: 0 },
    },
  ]);
  expect(idsOf(await list({ type: "affiliate.approved" }))).toEqual([young]);
  expect(idsOf(await list({ text: old }))).toEqual([old]);
  expect(idsOf(await list({ created_until: "2026-01-01T00:00:00.000Z" }))).toEqual([]);
  const stranger = await makeContext(test.database);
  expect((await listEventRows(stranger, { limit: 50 })).data).toEqual([]);
});

it("lists page by page, with one statement for each", async () => {
  const ids = (await record(5)).reverse();
  const page = await list({ limit: 3 });
  expect(idsOf(page)).toEqual(ids.slice(0, 3));
  const statements = await statementsOf(test.database, async () => {
    expect(idsOf(await list({ limit: 3, cursor: page.pagination.next_cursor }))).toEqual(ids.slice(3));
  });
  expect(statements).toHaveLength(1);
});

it("shows an event as it was sent, and sends it to one endpoint again", async () => {
  const [id = ""] = await record(1);
  await attemptDue(context, {});
  const event = await getEventWithDeliveries(context, id);
  expect(JSON.parse(event.body)).toMatchObject({ type: "affiliate.created" });
  expect(event.deliveries.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
  await retryDelivery(context, { event_id: id, endpoint_id: first });
  expect((await list()).data[0]?.deliveries).toMatchObject({ pending: 1, delivered: 1 });
  const stranger = await makeContext(test.database);
  await expect(getEventWithDeliveries(stranger, id)).rejects.toMatchObject({ code: "not_found" });
});

it("estimates a replay by the deliveries that did not arrive", async () => {
  await record(2);
  await attemptDue(context, {
    endpoint_id: first,
    state: "exhausted",
    status: 500,
    error_code: "http_status",
  });
  await record(1);
  await attemptDue(context, { endpoint_id: first });
  const range = {
    events_from: new Date(Date.now() - 60_000).toISOString(),
    events_to: new Date(Date.now() + 60_000).toISOString(),
  };
  expect(await estimateReplay(context, { endpoint_id: first, ...range })).toEqual({
    deliveries: 2,
    most_counted: 100_000,
  });
  const before = { events_from: "2026-01-01T00:00:00.000Z", events_to: "2026-01-02T00:00:00.000Z" };
  expect((await estimateReplay(context, { endpoint_id: first, ...before })).deliveries).toBe(0);
  const stranger = await makeContext(test.database);
  await expect(estimateReplay(stranger, { endpoint_id: first, ...range })).rejects.toMatchObject({
    code: "not_found",
  });
});
