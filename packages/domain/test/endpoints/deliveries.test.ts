import { randomUUID } from "node:crypto";
import { transaction } from "@findersfee/database/connect";
import { claimDue } from "@findersfee/database/delivery-claims";
import { settle } from "@findersfee/database/delivery-settlement";
import { ATTEMPTS, makePartitions } from "@findersfee/database/partitions";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { getDelivery } from "../../src/deliveries/get.ts";
import { listDeliveries, listEventDeliveries } from "../../src/deliveries/list.ts";
import { retryDelivery } from "../../src/deliveries/retry.ts";
import { disableEndpoint } from "../../src/endpoints/disable.ts";
import { enableEndpoint } from "../../src/endpoints/enable.ts";
import { newId } from "../../src/ids.ts";
import { createReplay } from "../../src/replays/create.ts";
import { getReplay } from "../../src/replays/get.ts";
import { listReplays } from "../../src/replays/list.ts";
import { stepReplay } from "../../src/replays/step.ts";
import { addEndpoint, makeContext, recordEvents } from "../subscriber.ts";

let test: TestDatabase;
let context: Context & { woken: () => number };
let stranger: Context;
let endpoint_id: string;
const worker_id = newId(new Date());

beforeAll(async () => {
  test = await createTestDatabase();
  await makePartitions(test.database, ATTEMPTS, { ahead: 0 });
});

beforeEach(async () => {
  await test.database`delete from deliveries`;
  await test.database`delete from replays`;
  context = await makeContext(test.database);
  stranger = await makeContext(test.database);
  ({ id: endpoint_id } = await addEndpoint(context));
});

afterAll(() => test.close());

/** Claims what is due and has it fail for good. */
async function exhaust(): Promise<void> {
  const claimed = await claimDue(test.database, { worker_id, limit: 10_000 });
  const settlements = claimed.map(({ organization_id, event_id, endpoint_id }) => ({
    organization_id,
    event_id,
    endpoint_id,
    state: "exhausted" as const,
    next_attempt_at: null,
    failures: 8,
    attempted_at: new Date(),
    duration_milliseconds: 12,
    status: 500,
    error_code: "http_status",
    error_message: null,
    response: "oops",
  }));
  expect(await settle(test.database, { worker_id, settlements })).toHaveLength(claimed.length);
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
    expect(first.pagination).toMatchObject({ has_more: true, next_cursor: ids[2] });
    const second = await listDeliveries(context, { endpoint_id, limit: 3, cursor: ids[2] });
    expect(second.data.map(({ event_id }) => event_id)).toEqual([ids[1], ids[0]]);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null });
    await exhaust();
    const [late] = await recordEvents(context, 1);
    const listed = async (filter: object) =>
      (await listDeliveries(context, { endpoint_id, limit: 10, ...filter })).data;
    expect((await listed({ state: "pending" })).map(({ event_id }) => event_id)).toEqual([late]);
    expect(await listed({ state: "exhausted" })).toHaveLength(5);
    expect(await listed({ state: "delivered" })).toEqual([]);
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
    expect(new Set(deliveries.map((one) => one.endpoint_id))).toEqual(new Set([endpoint_id, other.id]));
  });
});

describe("a retry", () => {
  it("makes a delivery that ended due, its schedule from the beginning", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await exhaust();
    expect(await stateOf(event_id)).toMatchObject({ state: "exhausted", failures: 8 });
    const woken = context.woken();
    expect(await retryDelivery(context, { endpoint_id, event_id })).toMatchObject({
      state: "pending",
      attempts: 1,
    });
    expect(context.woken()).toBe(woken + 1);
    expect(await stateOf(event_id)).toEqual({ state: "scheduled", failures: 0, due: true });
  });

  it("brings forward what waits for its next attempt, and keeps its place in the schedule", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await test.database`update deliveries set next_attempt_at = now() + interval '1 hour', failures = 3`;
    await Promise.all([1, 2].map(() => retryDelivery(context, { endpoint_id, event_id })));
    expect(await stateOf(event_id)).toEqual({ state: "scheduled", failures: 3, due: true });
  });

  it("leaves alone what is being sent", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    await claimDue(test.database, { worker_id, limit: 1 });
    expect(await retryDelivery(context, { endpoint_id, event_id })).toMatchObject({ state: "pending" });
    expect(await stateOf(event_id)).toMatchObject({ state: "sending" });
  });

  it("sends an event to an endpoint that never got it", async () => {
    const [event_id = ""] = await recordEvents(context, 1);
    const late = await addEndpoint(context);
    expect(await retryDelivery(context, { endpoint_id: late.id, event_id })).toMatchObject({
      state: "pending",
      attempts: 0,
    });
  });

  it("needs an endpoint that is enabled, and an event", async () => {
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

  it("makes due what failed in its range, step by step, and says how far it is", async () => {
    await recordEvents(context, 2, new Date(Date.now() - 7_200_000));
    const ids = await recordEvents(context, 1_100);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    expect(await stepReplay(test.database)).toBe(true);
    expect(await getReplay(context, id)).toMatchObject({ deliveries: 500, finished_at: null });
    expect((await getReplay(context, id)).done_until).not.toBeNull();
    while (await stepReplay(test.database));
    const done = await getReplay(context, id);
    expect(done).toMatchObject({ deliveries: 1_100, finished_at: expect.any(String) });
    expect(await listReplays(context, endpoint_id)).toEqual([done]);
    const states = await test.database<{ state: string; count: number }[]>`
      select state, count(*)::int as count from deliveries group by state order by state`;
    expect([...states]).toEqual([
      { state: "exhausted", count: 2 },
      { state: "scheduled", count: 1_100 },
    ]);
    expect(await stateOf(ids[0])).toMatchObject({ failures: 0, due: true });
  });

  it("goes on where it was when a step was lost, and does nothing twice", async () => {
    await recordEvents(context, 700);
    await exhaust();
    const { id } = await createReplay(context, { endpoint_id, ...range() });
    const broken = transaction(test.database, async (sql) => {
      await stepReplay(sql as never).catch(() => {});
      throw new Error("the worker dies");
    });
    await expect(broken).rejects.toThrow("dies");
    // Two at once: each step is taken by one of them.
    const both = async () => {
      while (await stepReplay(test.database));
    };
    await Promise.all([both(), both()]);
    await both();
    expect(await getReplay(context, id)).toMatchObject({ deliveries: 700 });
  });

  it("of what was missed covers the events from while it was disabled, of its types", async () => {
    await recordEvents(context, 1);
    await exhaust();
    await test.database`
      update endpoint_health set failures = 8, failing_since = now() - interval '1 hour'
      where endpoint_id = ${endpoint_id}`;
    await disableEndpoint(context, endpoint_id);
    const missed = await recordEvents(context, 3);
    await enableEndpoint(context, { id: endpoint_id, replay_missed: true });
    while (await stepReplay(test.database));
    const { data } = await listDeliveries(context, { endpoint_id, state: "pending", limit: 10 });
    expect(data).toHaveLength(4);
    expect(data.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(missed));
    const [replay] = await listReplays(context, endpoint_id);
    expect(replay).toMatchObject({ kind: "missed", deliveries: 4 });
  });
});

it("is not found by another organization", async () => {
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
