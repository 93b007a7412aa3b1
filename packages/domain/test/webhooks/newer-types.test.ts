/* During an upgrade, workers of the next version record events of types that an API process of this one does not know. */
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listDeliveries, listEventDeliveries } from "../../src/webhooks/deliveries/list.ts";
import { serializeEvent } from "../../src/webhooks/events/data.ts";
import { getEvent } from "../../src/webhooks/events/get.ts";
import { listEvents } from "../../src/webhooks/events/list.ts";
import { getEventWithDeliveries, listEventRows } from "../../src/webhooks/events/list-rows.ts";
import { recordEvent } from "../../src/webhooks/events/record.ts";
import { addEndpoint, makeContext } from "../subscriber.ts";

let test: TestDatabase;
let context: Awaited<ReturnType<typeof makeContext>>;
/** The second and the last one are of a newer type. */
let ids: string[];

beforeAll(async () => {
  test = await createTestDatabase({ fresh: true });
  context = await makeContext(test.database);
  await addEndpoint(context);
  ids = [];
  for (let number = 0; number < 4; number += 1) {
    const data = { id: context.organization.id, email: "jane@example.com" } as never;
    const event = serializeEvent("affiliate.created", data, new Date());
    await recordEvent(test.database, context.organization.id, event);
    ids.push(event.id);
  }
  await test.database`alter table events drop constraint events_type_check`;
  await test.database`
    update events set type = 'affiliate.renamed', body = '{"type": "affiliate.renamed", "data": {}}'
    where id = any (${[ids[1] ?? "", ids[3] ?? ""]})`;
});

afterAll(() => test.close());

const feed = async (order: "oldest_first" | "newest_first", more: object = {}) => {
  const { data, pagination } = await listEvents(context, { order, limit: 10, ...more });
  return { ids: data.map(({ id }) => id), has_more: pagination.has_more };
};

it("ends the feed before the first one, so that the next version continues there", async () => {
  await expect.poll(() => feed("oldest_first")).toEqual({ ids: [ids[0]], has_more: false });
  expect(await feed("oldest_first", { limit: 1 })).toEqual({ ids: [ids[0]], has_more: false });
  expect(await feed("oldest_first", { after: ids[0] })).toEqual({ ids: [], has_more: false });
});

it("begins at the newest one that this version knows", async () => {
  await expect.poll(() => feed("newest_first", { limit: 1 })).toEqual({ ids: [ids[2]], has_more: true });
  expect(await feed("newest_first")).toEqual({ ids: [ids[2], ids[0]], has_more: false });
});

it("leaves them out of lists, and finds none by their ids", async () => {
  const events = await listEventRows(context, { limit: 10 });
  expect(events.data.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  const deliveries = await listDeliveries(context, { limit: 10 });
  expect(deliveries.data.map(({ event_id }) => event_id)).toEqual([ids[2], ids[0]]);
  for (const read of [getEvent, getEventWithDeliveries, listEventDeliveries]) {
    await expect(read(context, ids[1] ?? "")).rejects.toMatchObject({ code: "not_found" });
  }
});
