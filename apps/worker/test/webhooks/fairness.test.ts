import type { ServerResponse } from "node:http";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

/** An attempt may take 15 s: a delivery in less time, on a slow machine too, has not waited for one that hangs. */
const PROMPT_MILLISECONDS = 12_000;
/** Attempts at once to one endpoint, at most. */
const ENDPOINT_PLACES = 32;

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
const workers: Worker[] = [];
/** Requests that are not answered, by path. */
const hanging = new Map<string, ServerResponse[]>();

beforeEach(async () => {
  hanging.clear();
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  // First, so that hanging requests end.
  await receiver.close();
  for (const worker of workers.splice(0)) await worker.stop();
  await test.close();
});

async function work(): Promise<void> {
  workers.push(await startTestWorker(test));
}

/** Lets every request to such a path hang. */
function hang(pattern: RegExp): void {
  receiver.answer = ({ path }, response) => {
    if (!pattern.test(path)) {
      response.writeHead(204).end();
      return;
    }
    const responses = hanging.get(path) ?? [];
    hanging.set(path, [...responses, response]);
  };
}

/** Records events one by one and notifies the workers of each, as the API does; returns when each was created. */
async function record(count: number, organization: string): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  for (let number = 0; number < count; number++) {
    const at = Date.now();
    const [id = ""] = await makeEvents(test.database, organization, 1);
    await notifyWorkers(test.database, "events", [organization]);
    made.set(id, at);
  }
  return made;
}

/** Everything comes to the path, and soon after it was made. */
async function expectPrompt(path: string, made: Map<string, number>): Promise<void> {
  const delays = await eventually(
    () => {
      const came = receiver.received.filter((request) => request.path === path && made.has(request.id));
      expect(came).toHaveLength(made.size);
      return came.map(({ id, at }) => at - (made.get(id) ?? 0));
    },
    { interval: 10 },
  );
  expect(Math.max(...delays)).toBeLessThan(PROMPT_MILLISECONDS);
}

/** The endpoint is paused: it has attempts in flight, and its other deliveries wait. */
async function isStalled(path: string): Promise<void> {
  const [before] = await eventually(() => {
    const responses = hanging.get(path) ?? [];
    expect(responses.length).toBeGreaterThan(0);
    return responses;
  });
  expect(before?.closed).toBe(false);
  expect(await count("pending", path)).toBeGreaterThan(hanging.get(path)?.length ?? 0);
}

it("limits the attempts of a hanging endpoint with hundreds of deliveries", async () => {
  hang(/hang/);
  const other = await makeOrganization(test.database);
  await subscribe(test.database, organization_id, receiver.url("/hang"));
  await makeEvents(test.database, organization_id, 600);
  await subscribe(test.database, organization_id, receiver.url("/same"));
  await subscribe(test.database, other, receiver.url("/other"));
  await work();
  // From the first moment on, and when it is known to hang.
  for (let round = 0; round < 2; round++) {
    const [same, others] = await Promise.all([record(30, organization_id), record(30, other)]);
    await expectPrompt("/same", same);
    await expectPrompt("/other", others);
    await isStalled("/hang");
  }
  expect(hanging.get("/hang")?.length).toBeLessThanOrEqual(ENDPOINT_PLACES);
});

it("limits the attempts of an endpoint that starts to hang", async () => {
  await subscribe(test.database, organization_id, receiver.url("/hang"));
  await subscribe(test.database, organization_id, receiver.url("/same"));
  await work();
  await makeEvents(test.database, organization_id, 300);
  await receiver.has(600);
  hang(/hang/);
  await makeEvents(test.database, organization_id, 600);
  await notifyWorkers(test.database, "events", [organization_id]);
  await isStalled("/hang");
  await expectPrompt("/same", await record(30, organization_id));
  expect(hanging.get("/hang")?.length).toBeLessThanOrEqual(ENDPOINT_PLACES);
});

it.runIf(FULL_TESTS)("delivers for other organizations while all 40 endpoints of one hang", async () => {
  hang(/hang/);
  const other = await makeOrganization(test.database);
  await subscribe(test.database, other, receiver.url("/other"));
  for (let number = 0; number < 40; number++) {
    await subscribe(test.database, organization_id, receiver.url(`/hang/${number}`));
  }
  await makeEvents(test.database, organization_id, 50);
  await work();
  await expectPrompt("/other", await record(30, other));
  await eventually(() => expect(hanging.size).toBe(40));
  await expectPrompt("/other", await record(30, other));
  // None of them got more than a few.
  for (const responses of hanging.values()) expect(responses.length).toBeLessThanOrEqual(ENDPOINT_PLACES);
});

async function count(state: string, path: string): Promise<number> {
  const [row] = await test.database<[{ count: number }]>`
    select count(*)::int as count from deliveries delivery
    join endpoints endpoint on endpoint.id = delivery.endpoint_id
    where endpoint.url = ${receiver.url(path)} and delivery.state = ${state}`;
  return row.count;
}

/** Lets an hour pass since the endpoint failed last. */
async function makeDue(endpoint_id: string): Promise<void> {
  await test.database`
    update endpoint_health set last_failed_at = now() - interval '1 hour' where endpoint_id = ${endpoint_id}`;
}

/** Resolves when nothing of the endpoint is under way or unrecorded: each request has its row. */
async function isRecorded(endpoint_id: string, path: string): Promise<void> {
  await eventually(async () => {
    const rows = await test.database`select from attempts where endpoint_id = ${endpoint_id}`;
    expect(rows).toHaveLength(receiver.ids(path).length);
  });
}

it.runIf(FULL_TESTS)("probes a failing endpoint, then delivers its backlog in order", async () => {
  let failing = true;
  receiver.answer = ({ path }, response) => {
    response.writeHead(path === "/failing" && failing ? 503 : 204).end();
  };
  const { endpoint_id } = await subscribe(test.database, organization_id, receiver.url("/failing"));
  await subscribe(test.database, organization_id, receiver.url("/healthy"));
  await makeEvents(test.database, organization_id, 300);
  await work();
  await eventually(async () => expect(await count("delivered", "/healthy")).toBe(300));
  await isRecorded(endpoint_id, "/failing");
  expect(receiver.ids("/failing").length).toBeGreaterThanOrEqual(5);
  expect(receiver.ids("/failing").length).toBeLessThan(60);
  for (let probes = 1; probes <= 3; probes++) {
    // The attempted deliveries are not due until tomorrow.
    await test.database`
      update pending_deliveries set due_at = now() + interval '1 day' where due_at > now()`;
    const before = receiver.ids("/failing").length;
    await makeDue(endpoint_id);
    await eventually(() => expect(receiver.ids("/failing")).toHaveLength(before + 1));
    await expectPrompt("/healthy", await record(20, organization_id));
    await isRecorded(endpoint_id, "/failing");
    // The next probe is 5 s after this one, or later.
    expect(receiver.ids("/failing").length).toBeLessThanOrEqual(before + 2);
    const [health] = await test.database<[{ failures: number }]>`
      select failures from endpoint_health where endpoint_id = ${endpoint_id}`;
    expect(health.failures).toBe(receiver.ids("/failing").length);
  }

  await isRecorded(endpoint_id, "/failing");
  await test.database`
    update pending_deliveries set due_at = now() + interval '1 day' where due_at > now()`;
  const waiting = await test.database`
    select event_id from pending_deliveries
    where endpoint_id = ${endpoint_id} and due_at <= now() order by due_at`;
  expect(waiting.length).toBeGreaterThan(200);
  failing = false;
  const before = receiver.ids("/failing").length;
  await makeDue(endpoint_id);
  await eventually(() => expect(receiver.ids("/failing").length).toBe(before + waiting.length));
  const order = new Map(waiting.map(({ event_id }, index) => [event_id, index]));
  const came = receiver
    .ids("/failing")
    .slice(before)
    .map((id) => order.get(id) ?? -1);
  // Not one after another, since some are under way at once, but the oldest first.
  const displacement =
    came.reduce((sum, position, index) => sum + Math.abs(position - index), 0) / came.length;
  expect(came[0]).toBe(0);
  expect(displacement).toBeLessThan(waiting.length / 8);
  expect(new Set(came).size).toBe(waiting.length);
});
