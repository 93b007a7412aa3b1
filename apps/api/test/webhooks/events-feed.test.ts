import { eventTypes } from "@findersfee/contract/webhooks/events";
import { type HeldTransaction, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { newId } from "@findersfee/domain/ids";
import { afterEach, describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, errorOf, type Input, refusedFields } from "../operations.ts";
import { type Program, unknownId } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;
const held: HeldTransaction[] = [];

beforeEachInNewProgram(
  (made) => {
    ({ service, program, organization } = made);
  },
  // Some hold several transactions open.
  { poolSize: 10 },
);

afterEach(async () => {
  for (const transaction of held.splice(0)) await transaction.rollBack();
});

async function hold(): Promise<HeldTransaction> {
  const transaction = await holdTransaction(service.database);
  held.push(transaction);
  return transaction;
}

interface Event {
  id: string;
  type: string;
  data: { id: string };
}

/** Waits until no transaction on the server, of any test, hides this test's events. */
async function feed(count: number, input: Input = {}): Promise<Event[]> {
  const read = async (): Promise<Event[]> =>
    (await organization.trpc.events.list.query({ limit: 100, ...input })).data;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  const events = await read();
  expect(events).toHaveLength(count);
  return events;
}

function addReferral(): Promise<{ id: string }> {
  const email = `${newId(new Date())}@example.com`;
  return organization.trpc.referrals.create.mutate({ affiliate_id: program.affiliate.id, email });
}

/** The events that creating a program records, in order. */
const FIRST_TYPES = ["affiliate.created", "referral.created", "commission.created", "referral.converted"];

it("lists sent events, oldest first, identically on both surfaces", async () => {
  const events = await feed(4);
  expect(events.map(({ type }) => type)).toEqual(FIRST_TYPES);
  const { data, pagination } = await answerOf(organization, "events.list");
  expect(data).toEqual(events);
  expect(pagination).toEqual({
    page: null,
    limit: 10,
    total_count: null,
    total_pages: null,
    has_more: false,
    next_cursor: null,
  });
  const { organization_id } = organization;
  const stored = await service.database<{ id: string; body: string }[]>`
    select id, body from events where organization_id = ${organization_id} order by position, id`;
  for (const [index, event] of events.entries()) {
    expect(Object.keys(event)).toEqual(["id", "type", "created_at", "data"]);
    const { id, type, data } = event;
    expect([id, JSON.stringify({ type, data })]).toEqual([stored[index]?.id, stored[index]?.body]);
  }
});

it("returns the sent bytes over REST", async () => {
  await feed(4);
  const headers = { authorization: `Bearer ${organization.api_key}` };
  const text = await (await fetch(`${service.url}/v1/events`, { headers })).text();
  const rows = await service.database<{ body: string }[]>`
    select body from events where organization_id = ${organization.organization_id}`;
  for (const { body } of rows) {
    const data = body.slice(body.indexOf('"data":'));
    expect(text).toContain(data);
  }
});

it.each(["after", "cursor"])(
  "continues after any event, page by page, without repeats: %s",
  async (parameter) => {
    for (let count = 0; count < 9; count++) await addReferral();
    const all = await feed(13);
    for (const limit of [1, 4, 12, 13]) {
      const seen: Event[] = [];
      for (let after: string | null = null; ; ) {
        const input: Input = after === null ? { limit } : { limit, [parameter]: after };
        const { data, pagination } = await answerOf(organization, "events.list", input);
        seen.push(...data);
        expect(pagination.has_more).toBe(seen.length < all.length);
        expect(pagination.next_cursor).toBe(seen.length < all.length ? data.at(-1).id : null);
        after = pagination.next_cursor;
        if (after === null) break;
      }
      expect(seen).toEqual(all);
    }
    expect(await feed(0, { [parameter]: all.at(-1)?.id })).toEqual([]);
    expect(await feed(3, { [parameter]: all[9]?.id })).toEqual(all.slice(10));
  },
);

it("accepts an empty cursor for the first page, and both parameters if they are equal", async () => {
  const all = await feed(4);
  const [first, second] = all;
  expect(await feed(4, { cursor: "" })).toEqual(all);
  expect(await feed(3, { after: first?.id.toUpperCase(), cursor: first?.id })).toEqual(all.slice(1));
  for (const cursor of [second?.id, ""]) {
    expect(await errorOf(organization, "events.list", { after: first?.id, cursor })).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "cursor", message: "Differs from `after`: send one of the two." }],
    });
  }
});

it("filters by type", async () => {
  const all = await feed(4);
  for (const type of eventTypes) {
    const expected = all.filter((event) => event.type === type);
    expect(await feed(expected.length, { types: type })).toEqual(expected);
  }
  const types = "referral.created,commission.created";
  expect(await feed(2, { types })).toEqual([all[1], all[2]]);
  expect(await feed(2, { types: ["referral.created", "commission.created"] })).toEqual([all[1], all[2]]);
  expect(await feed(1, { types, after: all[1]?.id })).toEqual([all[2]]);
});

it.each([
  ["types", "referral.deleted"],
  ["types", "referral.created,"],
  ["types", ""],
  ["after", "first"],
  ["order", "descending"],
  ["created_after", "yesterday"],
  ["limit", 0],
  ["limit", 101],
  ["page", 1],
  ["cursor", "first"],
])("rejects %s of %j", async (field, value) => {
  expect(await refusedFields(organization, "events.list", { [field]: value })).toEqual([field]);
});

it("lists the newest first on request, and continues to older ones", async () => {
  const all = await feed(4);
  const backwards = all.toReversed();
  const order = "newest_first";
  expect(await feed(4, { order })).toEqual(backwards);
  expect((await answerOf(organization, "events.list", { order, limit: 1 })).data).toEqual([all[3]]);
  const { data, pagination } = await answerOf(organization, "events.list", { order, limit: 3 });
  expect([data, pagination.next_cursor]).toEqual([backwards.slice(0, 3), all[1]?.id]);
  expect(await feed(1, { order, after: all[1]?.id })).toEqual([all[0]]);
  expect(await feed(2, { order, types: "affiliate.created,referral.created" })).toEqual([all[1], all[0]]);
});

it("filters by creation time", async () => {
  await feed(4);
  const referral = await addReferral();
  const all: (Event & { created_at?: string })[] = await feed(5);
  const created_after = all[4]?.created_at;
  expect(all[4]?.data.id).toBe(referral.id);
  // The start is inclusive; later events are not included in the other query.
  expect((await feed(1, { created_after }))[0]).toEqual(all[4]);
  const later = new Date(Date.parse(created_after ?? "") + 1).toISOString();
  expect(await feed(0, { created_after: later })).toEqual([]);
  expect(await feed(5, { created_after: "1970-01-01T00:00:00Z" })).toEqual(all);
  expect(await feed(5, { created_after: all[0]?.created_at })).toEqual(all);
  expect(await feed(1, { created_after: all[0]?.created_at, after: all[3]?.id })).toEqual([all[4]]);
});

it("returns an event by its id with the sent bytes", async () => {
  const [first] = await feed(4);
  const id = first?.id ?? "";
  expect(await answerOf(organization, "events.get", { id })).toEqual(first);
  const headers = { authorization: `Bearer ${organization.api_key}` };
  const text = await (await fetch(`${service.url}/v1/events/${id}`, { headers })).text();
  const [row] = await service.database<{ body: string }[]>`select body from events where id = ${id}`;
  expect(text).toContain(row?.body.slice(row.body.indexOf('"data":'), -1));
});

it("reports an unknown event", async () => {
  expect(await errorOf(organization, "events.get", { id: unknownId() })).toEqual({
    code: "not_found",
    message: "There is no event with this id; events are available for 90 days.",
  });
  expect(await errorOf(organization, "events.list", { after: unknownId() })).toEqual({
    code: "not_found",
    message: "There is no event with this id; events are available for 90 days.",
  });
  expect(await errorOf(organization, "events.list", { cursor: unknownId() })).toMatchObject({
    message: "There is no event with this id; events are available for 90 days.",
  });
});

it("goes back 90 days", async () => {
  const [first, ...others] = await feed(4);
  const age = (interval: string) => service.database`
    update events set created_at = now() - ${interval}::interval where id = ${first?.id ?? ""}`;
  await age("89 days 23 hours");
  expect((await feed(4))[0]?.id).toBe(first?.id);
  await age("90 days 1 minute");
  expect(await feed(3)).toEqual(others);
  expect(await errorOf(organization, "events.get", { id: first?.id })).toMatchObject({ code: "not_found" });
});

describe("open transactions", () => {
  /** Writes an event like another process, possibly with a different clock. Returns its id. */
  async function recordIn({ sql }: HeldTransaction, created_at = new Date()): Promise<string> {
    const data = program.referral;
    const body = JSON.stringify({ type: "referral.created", data });
    const event = { id: newId(created_at), type: "referral.created", body, created_at };
    await insertEvent(sql, organization.organization_id, event);
    return event.id;
  }

  it("hide later events, so that a reader misses none when they commit", async () => {
    const known = await feed(4);
    const older = await hold();
    const hidden = await recordIn(older);
    const newer = await addReferral();
    // The newer event is committed but hidden: otherwise the reader would continue after it.
    expect(await feed(0, { after: known.at(-1)?.id })).toEqual([]);
    // A reader that starts at the end must not miss the older one either.
    expect((await feed(4, { order: "newest_first" }))[0]).toEqual(known.at(-1));
    const [stored] = await service.database<{ id: string }[]>`
      select id from events where organization_id = ${organization.organization_id} order by position desc limit 1`;
    // The receiver of its delivery can read it by its id.
    expect(await answerOf(organization, "events.get", { id: stored?.id })).toMatchObject({
      data: { id: newer.id },
    });
    await older.commit();
    const events = await feed(2, { after: known.at(-1)?.id });
    expect(events[0]?.id).toBe(hidden);
    expect(events[1]?.data.id).toBe(newer.id);
  });

  it("show earlier events", async () => {
    await feed(4);
    const referral = await addReferral();
    await feed(5);
    await recordIn(await hold());
    expect((await feed(5)).at(-1)?.data.id).toBe(referral.id);
  });

  it("come last when they began last, even with a late clock", async () => {
    const known = await feed(4);
    const late = await hold();
    const id = await recordIn(late, new Date(Date.now() - 60_000));
    await late.commit();
    expect((await feed(1, { after: known.at(-1)?.id }))[0]?.id).toBe(id);
    expect((await feed(5)).at(-1)?.id).toBe(id);
  });

  it("leave nothing after a rollback", async () => {
    const open = await hold();
    await recordIn(open);
    const referral = await addReferral();
    await open.rollBack();
    expect((await feed(5)).at(-1)?.data.id).toBe(referral.id);
  });

  it("cause no missed or repeated events, regardless of overlap", async () => {
    const seen = (await feed(4)).map(({ id }) => id);
    const written: string[] = [];
    const readOn = async () => {
      const after = seen.at(-1);
      const { data } = await organization.trpc.events.list.query({ after, limit: 3 });
      seen.push(...data.map(({ id }) => id));
    };
    for (let round = 0; round < 12; round++) {
      const first = await hold();
      const second = await hold();
      written.push(await recordIn(first));
      written.push(await recordIn(second));
      await addReferral();
      await readOn();
      // Newer first, older first, and both only in the next round.
      if (round % 3 === 0) await second.commit();
      if (round % 3 === 1) await first.commit();
      await readOn();
      if (round % 3 !== 2) for (const transaction of held.splice(0)) await transaction.commit();
      await readOn();
    }
    for (const transaction of held.splice(0)) await transaction.commit();
    await feed(4 + 12 * 3);
    await expect
      .poll(async () => {
        await readOn();
        return seen.length;
      })
      .toBe(4 + 12 * 3);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(written));
    expect((await feed(seen.length)).map(({ id }) => id)).toEqual(seen);
  });
});
