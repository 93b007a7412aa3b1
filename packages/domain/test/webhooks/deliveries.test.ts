import { randomUUID } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { type DeliveryResult, recordResults } from "@findersfee/database/webhooks/delivery-results";
import type { DeliveryKey } from "@findersfee/database/webhooks/pending-deliveries";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { getDelivery } from "../../src/webhooks/deliveries/get.ts";
import { listDeliveries, listEventDeliveries } from "../../src/webhooks/deliveries/list.ts";
import { retryDelivery } from "../../src/webhooks/deliveries/retry.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import { enableEndpoint } from "../../src/webhooks/endpoints/enable.ts";
import { createReplay } from "../../src/webhooks/replays/create.ts";
import { getReplay } from "../../src/webhooks/replays/get.ts";
import { listReplays } from "../../src/webhooks/replays/list.ts";
import { stopReplay } from "../../src/webhooks/replays/stop.ts";
import { addEndpoint, makeContext, POLICY, recordEvents } from "../subscriber.ts";
import { stepReplays } from "../work.ts";

let test: TestDatabase;
let context: Context & { woken: () => number };
let stranger: Context;
let endpoint_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  await test.database`delete from pending_deliveries`;
  await test.database`delete from attempts`;
  await test.database`delete from replays`;
  context = await makeContext(test.database);
  stranger = await makeContext(test.database);
  ({ id: endpoint_id } = await addEndpoint(context));
});

afterAll(() => test.close());

/** Has an attempt made at everything that is due, and ends it so. Returns how many deliveries that were. */
async function endDue(state: "delivered" | "exhausted"): Promise<number> {
  const due = await test.database<(DeliveryKey & { attempts: number })[]>`
    select organization_id, endpoint_id, event_id, attempts from pending_deliveries where due_at <= now()`;
  const is_delivered = state === "delivered";
  const results = due.map(
    (read): DeliveryResult => ({
      ...read,
      state,
      sent: true,
      next_attempt_in: null,
      failures: is_delivered ? 0 : 8,
      attempted_at: new Date(),
      duration_milliseconds: 12,
      status: is_delivered ? 204 : 500,
      error_code: is_delivered ? null : "http_status",
      error_message: null,
      response: is_delivered ? "" : "oops",
    }),
  );
  await recordResults(test.database, results);
  return results.length;
}

async function exhaust(): Promise<void> {
  expect(await endDue("exhausted")).toBeGreaterThan(0);
}

async function stateOf(event_id: string | undefined) {
  const [row] = await test.database`
    select state, failures, next_attempt_at <= now() as due from deliveries where event_id = ${event_id ?? null}`;
  return row;
}

describe("the log", () => {
  it("lists an endpoint's deliveries newest first, page by page, by state and type", async () => {
    const ids = await recordEvents(context, 5);
    const first = await listDeliveries(context, { endpoint_id, limit: 3 });
    expect(first.data.map(({ event_id }) => event_id)).toEqual(ids.toReversed().slice(0, 3));
    const next_cursor = `${ids[2]}.${endpoint_id}`;
    expect(first.pagination).toMatchObject({ has_more: true, next_cursor });
    const second = await listDeliveries(context, { endpoint_id, limit: 3, cursor: next_cursor });
    expect(second.data.map(({ event_id }) => event_id)).toEqual([ids[1], ids[0]]);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null });
    await exhaust();
    const [late] = await recordEvents(context, 1);
    const listed = async (filter: object) =>
      (await listDeliveries(context, { endpoint_id, limit: 10, ...filter })).data;
    expect((await listed({ states: ["pending"] })).map(({ event_id }) => event_id)).toEqual([late]);
    expect(await listed({ states: ["exhausted"] })).toHaveLength(5);
    expect(await listed({ states: ["delivered"] })).toEqual([]);
    expect(await listed({ type: "affiliate.created" })).toHaveLength(6);
    expect(await listed({ type: "commission.created" })).toEqual([]);
    expect(await listed({})).toHaveLength(6);
  });

  it("shows a delivery with its attempts, and an event with its deliveries", async () => {
    const other = await addEndpoint(context);
    const [event_id = ""] = await recordEvents(context, 1);
    await exhaust();
    const delivery = await getDelivery(context, { endpoint_id, event_id });
    expect(delivery).toMatchObject({ state: "exhausted", attempts: 1, next_attempt_at: null });
    expect(delivery.attempt_log).toMatchObject([
      { number: 1, status: 500, error_code: "http_status", response: "oops", duration_milliseconds: 12 },
    ]);
    const deliveries = await listEventDeliveries(context, event_id);
    expect(new Set(deliveries.map((delivery) => delivery.endpoint_id))).toEqual(
      new Set([endpoint_id, other.id]),
    );
  });
});

describe("a retry", () => {
  it("restarts the schedule of an ended delivery", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await exhaust();
    expect(await stateOf(event_id)).toMatchObject({ state: "exhausted" });
    const woken = context.woken();
    expect(await retryDelivery(context, { endpoint_id, event_id })).toMatchObject({
      state: "pending",
      attempts: 1,
    });
    expect(context.woken()).toBe(woken + 1);
    expect(await stateOf(event_id)).toEqual({ state: "pending", failures: 0, due: true });
    expect(await getDelivery(context, { endpoint_id, event_id })).toMatchObject({
      attempts: 1,
      last_attempt_at: expect.any(String),
      attempt_log: [{ number: 1, status: 500 }],
    });
  });

  it("makes a scheduled delivery due without changing its schedule", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await test.database`update pending_deliveries set due_at = now() + interval '1 hour', failures = 3`;
    await Promise.all([1, 2].map(() => retryDelivery(context, { endpoint_id, event_id })));
    expect(await stateOf(event_id)).toEqual({ state: "pending", failures: 3, due: true });
  });

  it.each([
    { state: "delivered", next_attempt_in: null, after: { state: "delivered", due: null } },
    { state: "scheduled", next_attempt_in: 3_600_000, after: { state: "pending", due: false } },
    { state: "exhausted", next_attempt_in: null, after: { state: "exhausted", due: null } },
  ] as const)(
    "lets an attempt that is under way decide: $state",
    async ({ state, next_attempt_in, after }) => {
      const [event_id = ""] = await recordEvents(context, 1);
      const organization_id = context.organization.id;
      const attempted_at = new Date();
      expect(await retryDelivery(context, { endpoint_id, event_id })).toMatchObject({ state: "pending" });
      await recordResults(test.database, [
        {
          organization_id,
          endpoint_id,
          event_id,
          attempts: 0,
          state,
          sent: true,
          next_attempt_in,
          failures: state === "delivered" ? 0 : 1,
          attempted_at,
          duration_milliseconds: 12,
          status: state === "delivered" ? 204 : 500,
          error_code: null,
          error_message: null,
          response: "",
        },
      ]);
      expect(await stateOf(event_id)).toMatchObject(after);
      expect(await getDelivery(context, { endpoint_id, event_id })).toMatchObject({
        attempts: 1,
        attempt_log: [{ number: 1 }],
      });
    },
  );

  it("sends an event to an endpoint without a delivery of it", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    const late = await addEndpoint(context);
    expect(await retryDelivery(context, { endpoint_id: late.id, event_id })).toMatchObject({
      state: "pending",
      attempts: 0,
    });
  });

  it("requires an enabled endpoint and an existing event", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await expect(retryDelivery(context, { endpoint_id, event_id: randomUUID() })).rejects.toMatchObject({
      code: "not_found",
    });
    await disableEndpoint(context, endpoint_id);
    await expect(retryDelivery(context, { endpoint_id, event_id })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("a replay", () => {
  const range = () => ({
    events_from: new Date(Date.now() - 3_600_000).toISOString(),
    events_to: new Date(Date.now() + 3_600_000).toISOString(),
  });

  /** Steps replays until none is left, and sends the deliveries that they make due. */
  async function finish(): Promise<void> {
    do while ((await stepReplays(test.database, context.organization.id)) === "stepped");
    while ((await endDue("delivered")) > 0);
  }

  it("makes failed deliveries in its range due in steps and shows its progress", async () => {
    await recordEvents(context, 2, new Date(Date.now() - 7_200_000));
    const ids = await recordEvents(context, 1_100);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    expect(await stepReplays(test.database, context.organization.id)).toBe("stepped");
    expect(await getReplay(context, id)).toMatchObject({ deliveries: 500, finished_at: null });
    expect((await getReplay(context, id)).done_until).not.toBeNull();
    expect(await stateOf(ids[0])).toEqual({ state: "pending", failures: 0, due: true });
    await finish();
    const done = await getReplay(context, id);
    expect(done).toMatchObject({ deliveries: 1_100, finished_at: expect.any(String) });
    expect(await listReplays(context, endpoint_id)).toEqual([done]);
    const states = await test.database<{ state: string; count: number }[]>`
      select state, count(*)::int as count from deliveries group by state order by state`;
    expect([...states]).toEqual([
      { state: "delivered", count: 1_100 },
      { state: "exhausted", count: 2 },
    ]);
  });

  it("waits for a busy endpoint behind new events, without delaying other replays", async () => {
    await recordEvents(context, 600);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    expect(await stepReplays(test.database, context.organization.id)).toBe("stepped");
    expect(await stepReplays(test.database, context.organization.id)).toBe("waiting");
    const other = await makeContext(test.database);
    const { id: other_endpoint_id } = await addEndpoint(other);
    await recordEvents(other, 1);
    await test.database`
      update pending_deliveries set due_at = now() + interval '1 hour' where endpoint_id = ${endpoint_id}`;
    await exhaust();
    await createReplay(other, { endpoint_id: other_endpoint_id, ...range() });
    expect(await stepReplays(test.database, other.organization.id)).toBe("stepped");

    await recordEvents(context, 1);
    const by_priority = await test.database`
      select priority, count(*)::int as count from pending_deliveries
      where endpoint_id = ${endpoint_id} group by priority order by priority`;
    expect([...by_priority]).toEqual([
      { priority: 0, count: 1 },
      { priority: 1, count: 500 },
    ]);
    await test.database`update pending_deliveries set due_at = now()`;
    await finish();
    expect(await getReplay(context, id)).toMatchObject({ deliveries: 600, finished_at: expect.any(String) });
  });

  it("stops on request and shows its progress", async () => {
    await recordEvents(context, 1_100);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    await stepReplays(test.database, context.organization.id);
    const stopped = await stopReplay(context, id);
    expect(stopped).toMatchObject({ deliveries: 500, stopped_at: expect.any(String) });
    expect(stopped.done_until).not.toBe(range().events_to);
    await finish();
    expect(await getReplay(context, id)).toEqual(stopped);
    // Again it changes nothing.
    expect(await stopReplay(context, id)).toEqual(stopped);
    await expect(stopReplay(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(LOST_ANSWERS)("resumes after any failed call of a step: %s", async (kind) => {
    let calls = 0;
    await failEachCall(test.url, kind, async (database, number, faulty) => {
      await test.database`truncate pending_deliveries, attempts, replays`;
      await recordEvents(context, 3);
      await exhaust();
      const { id } = await createReplay(context, { endpoint_id, ...range() });
      await stepReplays(database, context.organization.id).catch(() => null);
      if (faulty.failed.length === 0) calls = number - 1;
      // Postgres may hold the replay's lock until it sees that the connection is gone.
      await eventually(async () => {
        await finish();
        expect(await getReplay(context, id)).toMatchObject({ finished_at: expect.any(String) });
      });
      expect(await test.database`select from attempts where ended = 'delivered'`).toHaveLength(3);
    });
    expect(calls).toBeGreaterThan(3);
  });

  it("takes each step once with two concurrent workers", async () => {
    await recordEvents(context, 700);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    while ((await getReplay(context, id)).finished_at === null) {
      const step = () => stepReplays(test.database, context.organization.id);
      await Promise.all([step(), step()]);
      await endDue("delivered");
    }
    expect(await getReplay(context, id)).toMatchObject({ deliveries: 700 });
    expect(await test.database`select from attempts`).toHaveLength(1_400);
  });

  it("of missed events covers the time in which the endpoint was disabled", async () => {
    await recordEvents(context, 1);
    await exhaust();
    await test.database`
      update endpoint_health set failures = 8, failing_since = now() - interval '1 hour'
      where endpoint_id = ${endpoint_id}`;
    await disableEndpoint(context, endpoint_id);
    const missed = await recordEvents(context, 3);
    await enableEndpoint(context, { id: endpoint_id, replay_missed: true }, POLICY);
    while ((await stepReplays(test.database, context.organization.id)) === "stepped");
    const { data } = await listDeliveries(context, { endpoint_id, states: ["pending"], limit: 10 });
    expect(data).toHaveLength(4);
    expect(data.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(missed));
    const [replay] = await listReplays(context, endpoint_id);
    expect(replay).toMatchObject({ kind: "missed", deliveries: 4 });
  });
});

it("hides endpoints from other organizations", async () => {
  const [event_id = ""] = await recordEvents(context, 1);
  const { id } = await createReplay(context, {
    endpoint_id,
    events_from: "2026-01-01T00:00:00.000Z",
    events_to: "2026-01-02T00:00:00.000Z",
  });
  const not_found = { code: "not_found" };
  await expect(listDeliveries(stranger, { endpoint_id, limit: 1 })).rejects.toMatchObject(not_found);
  await expect(listEventDeliveries(stranger, event_id)).rejects.toMatchObject(not_found);
  await expect(getDelivery(stranger, { endpoint_id, event_id })).rejects.toMatchObject(not_found);
  await expect(retryDelivery(stranger, { endpoint_id, event_id })).rejects.toMatchObject(not_found);
  await expect(getReplay(stranger, id)).rejects.toMatchObject(not_found);
  await expect(listReplays(stranger, endpoint_id)).rejects.toMatchObject(not_found);
  const input = { endpoint_id, events_from: "2026-01-01T00:00:00Z", events_to: "2026-01-02T00:00:00Z" };
  await expect(createReplay(stranger, input)).rejects.toMatchObject(not_found);
});
