import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { newId } from "@findersfee/domain/ids";
import { deleteEndpoint } from "@findersfee/domain/webhooks/endpoints/delete";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeBacklog, makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const HOUR = 60 * 60 * 1000;

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
const workers: Worker[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await receiver.close();
  await test.close();
});

async function work(): Promise<Worker> {
  const worker = await startTestWorker(test);
  workers.push(worker);
  return worker;
}

/** The context of the organization's staff. */
function context(organization: string): Context {
  return {
    database: test.database,
    organization: { id: organization, currency: "USD", subscription_status: "active" },
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
}

async function states(endpoint_id: string): Promise<Record<string, number>> {
  const rows = await test.database<{ state: string; count: number }[]>`
    select state, count(*)::int as count from deliveries where endpoint_id = ${endpoint_id} group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** As many as an endpoint would have got in five seconds a time, 32 each. */
it.runIf(FULL_TESTS)(
  "drains an endpoint's backlog of 5,000 without pauses, also after a restart",
  async () => {
    const { endpoint_id } = await subscribe(test.database, organization_id, receiver.url());
    const ids = await makeBacklog(test.database, organization_id, 5_000);
    const first = await work();
    await receiver.has(1_000);
    await first.stop();
    const before = receiver.received.length;
    expect(before).toBeLessThan(5_000);
    await work();
    await eventually(async () => expect(await states(endpoint_id)).toEqual({ delivered: 5_000 }));
    expect(receiver.received).toHaveLength(5_000);
    expect(new Set(receiver.ids())).toEqual(new Set(ids));
    // Nobody waits for a timer between two reads: a pause of a second each would take minutes.
    const times = receiver.received.slice(before).map(({ at }) => at);
    const pauses = times.filter((at, index) => index > 0 && at - (times[index - 1] ?? at) > 1_000);
    expect(pauses.length).toBeLessThan(5);
  },
);

it.runIf(FULL_TESTS)(
  "delivers to other endpoints while endpoints with deliveries in flight are deleted",
  async () => {
    const ours = await subscribe(test.database, organization_id, receiver.url("/ours"));
    const other = await makeOrganization(test.database);
    const deleted: string[] = [];
    for (let number = 0; number < 5; number++)
      deleted.push((await subscribe(test.database, other, receiver.url(`/theirs/${number}`))).endpoint_id);
    await makeBacklog(test.database, organization_id, 1_000);
    await makeBacklog(test.database, other, 500);
    await work();
    for (const [index, id] of deleted.entries()) {
      await receiver.has(200 * (index + 1));
      // The last endpoint is deleted manually: nothing cancels its deliveries.
      if (index < 4) await deleteEndpoint(context(other), id);
      else await test.database`delete from endpoints where id = ${id}`;
    }
    await eventually(async () => expect(await states(ours.endpoint_id)).toEqual({ delivered: 1_000 }));
    await eventually(async () => expect(await test.database`select from pending_deliveries`).toHaveLength(0));
    for (const id of deleted) {
      const { delivered = 0, canceled = 0, exhausted = 0 } = await states(id);
      expect(delivered + canceled + exhausted).toBe(500);
    }
    expect(new Set(receiver.ids("/ours")).size).toBe(1_000);
    expect(receiver.ids("/ours")).toHaveLength(1_000);
  },
);

it("makes the first attempt at once if the clock of the event's writer is an hour ahead", async () => {
  const { endpoint_id } = await subscribe(test.database, organization_id, receiver.url());
  await work();
  const created_at = new Date(Date.now() + HOUR);
  const id = newId(created_at);
  const event = { id, type: "commission.created", body: "{}", created_at };
  await insertEvent(test.database, organization_id, event);
  await eventually(async () => expect(await states(endpoint_id)).toEqual({ delivered: 1 }));
  expect(receiver.ids()).toEqual([id]);
});

it("delivers to other endpoints while a deletion locks the deliveries of one", async () => {
  const ours = await subscribe(test.database, organization_id, receiver.url("/ours"));
  const other = await makeOrganization(test.database);
  const theirs = await subscribe(test.database, other, receiver.url("/theirs"));
  await test.database`
    update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'operator'
    where id = ${theirs.endpoint_id}`;
  await makeBacklog(test.database, other, 10);
  await test.database.begin(async (sql) => {
    await sql`select from pending_deliveries where endpoint_id = ${theirs.endpoint_id} for update`;
    await work();
    await makeEvents(test.database, organization_id, 20);
    await eventually(async () => expect(await states(ours.endpoint_id)).toEqual({ delivered: 20 }));
  });
  await eventually(async () => expect(await states(theirs.endpoint_id)).toEqual({ canceled: 10 }));
});

it("delivers to other endpoints if the deliveries of a deleted one cannot be canceled", async () => {
  const ours = await subscribe(test.database, organization_id, receiver.url("/ours"));
  const other = await makeOrganization(test.database);
  const theirs = await subscribe(test.database, other, receiver.url("/theirs"));
  await test.database`update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'operator'
    where id = ${theirs.endpoint_id}`;
  await makeBacklog(test.database, other, 10);
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'injected'; end $$;
    create trigger fail before insert on attempts for each row when (new.ended = 'canceled') execute function fail();`);
  await work();
  await makeEvents(test.database, organization_id, 200);
  await eventually(async () => expect(await states(ours.endpoint_id)).toEqual({ delivered: 200 }));
  await test.database.unsafe("drop trigger fail on attempts");
  await eventually(async () => expect(await states(theirs.endpoint_id)).toEqual({ canceled: 10 }));
  expect(receiver.ids("/theirs")).toEqual([]);
});
