/* Lists that are ordered by time show each row once, page by page, although many rows have the same time. */
import { randomUUID } from "node:crypto";
import type { Page } from "@findersfee/contract/pages";
import { type NewPaymentFact, upsertPaymentFacts } from "@findersfee/database/attribution/facts";
import { insertLookups, type WantedLookup } from "@findersfee/database/processors/lookups";
import { insertMessages } from "@findersfee/database/processors/messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { listLookups } from "../../src/processors/lookups/list.ts";
import { listProcessorMessages } from "../../src/processors/messages/list.ts";
import { makeContext } from "../subscriber.ts";

const ROWS = 12;
const LIMITS = [1, 2, 5, ROWS, 100];

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

/** All rows, page by page; ends when more rows came than there are. */
async function walk<Row>(read: (cursor?: string) => Promise<Page<Row>>): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = await read(cursor);
    all.push(...data);
    expect(pagination.has_more).toBe(pagination.next_cursor !== null);
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor !== undefined && all.length <= ROWS);
  return all;
}

describe("lookups", () => {
  const lookup = (number: number): WantedLookup => ({
    kind: "payment",
    subject: `in.${number}`,
    purpose: "products",
    object_id: `in_${number}`,
    message_id: "evt_1",
  });

  const event = (number: number): NewPaymentFact => ({
    processor: "stripe",
    kind: "payment",
    subject: `in.${number}`,
    customer_id: randomUUID(),
    state_at: new Date(),
    rank: 0,
    message_id: "evt_1",
    data: "{}",
    snapshot: null,
    lookup: `products in_${number}`,
  });

  it.each(LIMITS)("lists each item once with %i per page", async (limit) => {
    const { id } = context.organization;
    await upsertPaymentFacts(
      test.database,
      id,
      Array.from({ length: ROWS }, (_, number) => event(number)),
    );
    // One at a time, so that their times differ by less than a millisecond; and several at the same time.
    for (let number = 0; number < ROWS / 2; number++) {
      await insertLookups(test.database, id, [lookup(number)]);
    }
    const together = Array.from({ length: ROWS / 2 }, (_, number) => lookup(ROWS / 2 + number));
    await insertLookups(test.database, id, together);
    const rows = await walk((cursor) =>
      listLookups(context, { limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    const subjects = rows.map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(Array.from({ length: ROWS }, (_, number) => `in.${number}`).sort());
  });
});

describe("messages", () => {
  it.each(LIMITS)("lists each item once with %i per page", async (limit) => {
    const now = Date.now();
    const ids = Array.from({ length: ROWS }, (_, number) => `evt.${number}`);
    await insertMessages(test.database, context.organization.id, {
      source: "webhook",
      messages: ids.map((id, index) => ({
        processor: index % 2 === 0 ? "stripe" : "generic",
        id,
        type: "invoice.paid",
        account: null,
        body: "{}",
        reason: null,
        state: "skipped",
        occurred_at: new Date(now),
        received_at: new Date(now + (index % 3)),
        due_at: new Date(now),
      })),
    });
    const rows = await walk((cursor) =>
      listProcessorMessages(context, { limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const times = rows.map(({ received_at }) => received_at);
    expect(times).toEqual(times.toSorted().reverse());
    const between = await listProcessorMessages(context, {
      limit: 100,
      received_from: new Date(now + 1).toISOString(),
      received_until: new Date(now + 2).toISOString(),
    });
    const expected = ids.filter((_, index) => index % 3 === 1);
    expect(between.data.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  });
});

it.each(["", "x", "1.payment", "1..x", "1.PAYMENT.x", "1.payment.", "123456789012345.stripe.x"])(
  "rejects the cursor %j",
  async (cursor) => {
    const refusal = {
      code: "invalid_request",
      issues: [{ path: "cursor", message: "Must be a next_cursor from a list response." }],
    };
    await expect(listLookups(context, { limit: 1, cursor })).rejects.toMatchObject(refusal);
    await expect(listProcessorMessages(context, { limit: 1, cursor })).rejects.toMatchObject(refusal);
  },
);

it("rejects a cursor with an unknown processor", async () => {
  const cursor = "1.paypal.evt_1";
  await expect(listProcessorMessages(context, { limit: 1, cursor })).rejects.toMatchObject({
    issues: [{ path: "cursor" }],
  });
});
