import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { cancelDeliveries } from "@findersfee/database/webhooks/deliveries";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { countDeliveries } from "../../src/webhooks/deliveries/counts.ts";
import { getDelivery } from "../../src/webhooks/deliveries/get.ts";
import { listDeliveries } from "../../src/webhooks/deliveries/list.ts";
import { retryDeliveries } from "../../src/webhooks/deliveries/retry-many.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import { addEndpoint, makeContext, recordEvents } from "../subscriber.ts";
import { attemptDue } from "./attempts.ts";

const FAILED = { status: 502, error_code: "http_status" } as const;
const HOUR_MILLISECONDS = 3_600_000;

let test: TestDatabase;
let context: Context & { woken: () => number };
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

const list = (query: Partial<Parameters<typeof listDeliveries>[1]> = {}) =>
  listDeliveries(context, { limit: 50, ...query });

const pairsOf = ({ data }: Awaited<ReturnType<typeof list>>) =>
  data.map(({ event_id, endpoint_id }) => [event_id, endpoint_id]);

/** One event of each state at the first endpoint, oldest first; the second endpoint has all of them pending. */
async function eachState() {
  const [delivered = ""] = await recordEvents(context, 1);
  await attemptDue(context, { endpoint_id: first });
  const [exhausted = ""] = await recordEvents(context, 1);
  await attemptDue(context, { endpoint_id: first, state: "exhausted", status: null, error_code: "timeout" });
  const [retrying = ""] = await recordEvents(context, 1);
  await attemptDue(context, { endpoint_id: first, state: "scheduled", ...FAILED });
  const [queued = ""] = await recordEvents(context, 1);
  return { delivered, exhausted, retrying, queued };
}

describe("the list of deliveries", () => {
  it("covers all endpoints, newest event first, page by page", async () => {
    const { delivered, exhausted, retrying, queued } = await eachState();
    const expected = [queued, retrying, exhausted, delivered].flatMap((event_id) => [
      [event_id, second],
      [event_id, first],
    ]);
    expect(pairsOf(await list())).toEqual(expected);
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(...pairsOf(page));
      if (page.pagination.next_cursor === null) break;
      cursor = page.pagination.next_cursor;
    }
    expect(pages).toEqual(expected);
    expect((await list()).data[3]).toMatchObject({
      state: "pending",
      attempts: 1,
      last_status: 502,
      last_error_code: "http_status",
      last_duration_milliseconds: 12,
    });
  });

  it("filters by state, failure, error, status and type", async () => {
    const { delivered, exhausted, retrying } = await eachState();
    const found = async (query: object) =>
      (await list({ endpoint_id: first, ...query })).data.map((one) => one.event_id);
    expect(await found({ states: ["delivered", "exhausted"] })).toEqual([exhausted, delivered]);
    expect(await found({ failed: true })).toEqual([retrying, exhausted]);
    expect(await found({ error_code: "timeout" })).toEqual([exhausted]);
    expect(await found({ status: 502 })).toEqual([retrying]);
    expect(await found({ status: 204 })).toEqual([delivered]);
    expect(await found({ type: "commission.created" })).toEqual([]);
    expect(await found({ type: "affiliate.created", states: ["exhausted"] })).toEqual([exhausted]);
    expect(await found({ failed: true, states: ["delivered"] })).toEqual([]);
    expect(pairsOf(await list({ failed: true }))).toEqual([
      [retrying, first],
      [exhausted, first],
    ]);
    await transaction(test.database, (sql) => cancelDeliveries(sql, context.organization.id, first));
    expect(await found({ states: ["canceled"] })).toHaveLength(2);
    expect((await list({ states: ["canceled"] })).data).toHaveLength(2);
    expect(await found({ failed: true })).toEqual([retrying, exhausted]);
  });

  it("filters by time and by the beginning of an id", async () => {
    const at = new Date(Date.now() - HOUR_MILLISECONDS);
    const [old = ""] = await recordEvents(context, 1, at);
    const [young = ""] = await recordEvents(context, 1);
    const found = async (query: object) =>
      (await list({ endpoint_id: first, ...query })).data.map((one) => one.event_id);
    expect(await found({ created_until: new Date(at.getTime() + 1).toISOString() })).toEqual([old]);
    expect(await found({ created_until: at.toISOString() })).toEqual([]);
    expect(await found({ created_from: at.toISOString() })).toEqual([young, old]);
    expect(await found({ created_from: new Date(at.getTime() + 1).toISOString() })).toEqual([young]);
    for (const text of [old, old.slice(0, 13), old.replaceAll("-", "").toUpperCase()]) {
      expect(await found({ text })).toEqual([old]);
    }
    expect(await found({ text: "f" })).toEqual([]);
    await expect(list({ text: `${old}0` })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("searches a limited number of deliveries for one page, and continues there", async () => {
    const [rare = ""] = await recordEvents(context, 1);
    await attemptDue(context, { state: "exhausted", status: null, error_code: "dns" });
    await recordEvents(context, 1_100);
    await attemptDue(context, { state: "exhausted", status: null, error_code: "timeout" });
    const page = await list({ error_code: "dns" });
    expect(page).toMatchObject({ data: [], pagination: { has_more: true, next_cursor: expect.any(String) } });
    const next = await list({ error_code: "dns", cursor: page.pagination.next_cursor ?? "" });
    expect(pairsOf(next)).toEqual([
      [rare, second],
      [rare, first],
    ]);
    expect(next.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it("takes as many statements for many rows as for one, and shows strangers nothing", async () => {
    await recordEvents(context, 1);
    const one = await statementsOf(test.database, () => list());
    await recordEvents(context, 20);
    const many = await statementsOf(test.database, () => list());
    expect([one.length, many.length]).toEqual([2, 2]);
    const search = await statementsOf(test.database, () => list({ type: "affiliate.created", limit: 10 }));
    expect(search.length).toBe(1);
    const stranger = await makeContext(test.database);
    expect((await listDeliveries(stranger, { limit: 50 })).data).toEqual([]);
    await expect(listDeliveries(stranger, { limit: 50, endpoint_id: first })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("counts by hour", () => {
  it("tell how the events of each hour fared", async () => {
    await recordEvents(context, 2, new Date(Date.now() - 2 * HOUR_MILLISECONDS));
    await attemptDue(context, {});
    await eachState();
    const { hours, is_complete } = await countDeliveries(context, { hours: 4, endpoint_id: first });
    expect(hours.map(({ delivered, failed, retrying }) => [delivered, failed, retrying])).toEqual([
      [0, 0, 0],
      [2, 0, 0],
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(hours[3]?.hour).toMatch(/T\d\d:00:00\.000Z$/);
    expect(is_complete).toBe(true);
    const day = await statementsOf(test.database, () =>
      countDeliveries(context, { hours: 24, endpoint_id: first }),
    );
    expect(day).toHaveLength(1);
    await expect(
      countDeliveries(await makeContext(test.database), { hours: 1, endpoint_id: first }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("sending many again", () => {
  it("sends what a filter finds, and nothing else", async () => {
    const { exhausted, retrying } = await eachState();
    const woken = context.woken();
    expect(await retryDeliveries(context, { filter: { failed: true } })).toEqual({
      retried: 2,
      skipped: 0,
      next_cursor: null,
    });
    expect(context.woken()).toBe(woken + 1);
    const due = await test.database`
      select event_id from pending_deliveries where endpoint_id = ${first} and due_at <= now() and priority = -1`;
    expect(due.map(({ event_id }) => event_id).sort()).toEqual([exhausted, retrying].sort());
  });

  it("skips disabled endpoints, and takes existing endpoints and events only", async () => {
    const { exhausted } = await eachState();
    await disableEndpoint(context, second);
    const named = [first, second, first].map((endpoint_id) => ({ endpoint_id, event_id: exhausted }));
    expect(await retryDeliveries(context, { deliveries: named })).toEqual({
      retried: 1,
      skipped: 1,
      next_cursor: null,
    });
    const unknown = [...named, { event_id: first, endpoint_id: first }];
    await expect(retryDeliveries(context, { deliveries: unknown })).rejects.toMatchObject({
      code: "not_found",
    });
    const stranger = await makeContext(test.database);
    await expect(retryDeliveries(stranger, { deliveries: named })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("sends 1,000 with one request, the rest with the next", async () => {
    await recordEvents(context, 600);
    await attemptDue(context, { state: "exhausted", ...FAILED });
    const filter = { failed: true };
    const statements = await statementsOf(test.database, async () => {
      const { retried, next_cursor } = await retryDeliveries(context, { filter });
      expect(retried).toBe(1_000);
      expect(await retryDeliveries(context, { filter, cursor: next_cursor ?? "" })).toMatchObject({
        retried: 200,
        next_cursor: null,
      });
    });
    expect(statements.length).toBeLessThanOrEqual(10);
    const { pagination } = await list({ states: ["exhausted"] });
    expect(pagination.has_more).toBe(false);
  });

  it("needs either deliveries or a filter", async () => {
    await expect(retryDeliveries(context, {})).rejects.toMatchObject({ code: "invalid_request" });
    const both = { deliveries: [{ event_id: first, endpoint_id: first }], filter: {} };
    await expect(retryDeliveries(context, both)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

it("shows all that the signature of an attempt covers", async () => {
  const { delivered } = await eachState();
  const { body, attempt_log } = await getDelivery(context, { event_id: delivered, endpoint_id: first });
  expect(JSON.parse(body)).toMatchObject({ type: "affiliate.created" });
  const [attempt] = attempt_log;
  expect(attempt?.webhook_timestamp).toBe(Math.floor(Date.parse(attempt?.attempted_at ?? "") / 1000));
});
