import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { addJob } from "@findersfee/database/work/queue";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { newId } from "@findersfee/domain/ids";
import { getDelivery } from "@findersfee/domain/webhooks/deliveries/get";
import { enableEndpoint } from "@findersfee/domain/webhooks/endpoints/enable";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, POLICY, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const DAY = 24 * 60 * 60 * 1000;

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
let worker: Worker;
/** The receiver's status for each path; 204 by default. */
const statuses = new Map<string, number>();

beforeAll(async () => {
  test = await createTestDatabase();
  worker = await startTestWorker(test);
});

// Each test has an organization of its own.
beforeEach(async () => {
  statuses.clear();
  receiver = await Receiver.start();
  receiver.answer = ({ path }, response) => response.writeHead(statuses.get(path) ?? 204).end();
  organization_id = await makeOrganization(test.database);
});

afterEach(() => receiver.close());

afterAll(async () => {
  await worker.stop();
  await test.close();
});

/** Makes an endpoint that answers so; returns its id. */
async function endpoint(path: string, status: number, organization = organization_id): Promise<string> {
  statuses.set(path, status);
  return (await subscribe(test.database, organization, receiver.url(path))).endpoint_id;
}

async function deliveries(endpoint_id: string, state?: string): Promise<Record<string, unknown>[]> {
  return await test.database`
    select event_id, state, attempts from deliveries
    where endpoint_id = ${endpoint_id} ${state === undefined ? test.database`` : test.database`and state = ${state}`}
    order by event_id`;
}

/** Resolves when the check holds. */
async function until(check: () => Promise<void>): Promise<void> {
  await eventually(check, { interval: 10 });
}

/** Resolves when this many of the endpoint's deliveries are in this state. */
async function has(endpoint_id: string, state: string, count: number): Promise<void> {
  await until(async () => expect(await deliveries(endpoint_id, state)).toHaveLength(count));
}

/** Resolves when this many of the endpoint's deliveries have failed and wait for their next attempt, until `makeDue`. */
async function hasFailed(endpoint_id: string, count: number): Promise<void> {
  await until(async () => {
    const failed = await deliveries(endpoint_id, "pending");
    expect(failed.filter(({ attempts }) => attempts === 1)).toHaveLength(count);
  });
  await test.database`
    update pending_deliveries set due_at = now() + interval '1 day'
    where endpoint_id = ${endpoint_id} and attempts = 1`;
}

async function health(endpoint_id: string) {
  const [row] = await test.database`
    select failures, failing_since, last_failed_at from endpoint_health where endpoint_id = ${endpoint_id}`;
  return row;
}

async function enabled(endpoint_id: string) {
  const [row] = await test.database`
    select enabled, disabled_reason, disabled_at from endpoints where id = ${endpoint_id}`;
  return row;
}

/** Moves the first failure of the endpoint this many days back. */
async function age(endpoint_id: string, days: number): Promise<void> {
  await test.database`
    update endpoint_health set failing_since = failing_since - make_interval(secs => ${days * 86_400})
    where endpoint_id = ${endpoint_id}`;
}

/** Makes the endpoint's retries due now. */
async function makeDue(endpoint_id: string): Promise<void> {
  await test.database`
    update pending_deliveries set due_at = now() where endpoint_id = ${endpoint_id} and due_at > now()`;
  await test.database`
    update endpoint_health set last_failed_at = now() - interval '1 hour' where endpoint_id = ${endpoint_id}`;
}

/** Runs the worker's task of every ten minutes. */
async function disableFailing(): Promise<void> {
  await addJob(test.database, "disable_failing", { key: "now" });
  await until(async () =>
    expect(await test.database`select from graphile_worker.jobs where key = 'now'`).toEqual([]),
  );
}

/** Records an event as of this many days ago, with its deliveries; returns its id. */
async function makeOldEvent(days: number): Promise<string> {
  const created_at = new Date(Date.now() - days * DAY);
  const id = newId(created_at);
  await insertEvent(test.database, organization_id, {
    id,
    type: "commission.created",
    body: "{}",
    created_at,
  });
  return id;
}

/** Exhausts the failed deliveries. */
async function giveUp(): Promise<void> {
  await test.database`
    with ended as (
      delete from pending_deliveries where attempts > 0
      returning organization_id, event_id, endpoint_id, attempts
    )
    update attempts set ended = 'exhausted' from ended
    where attempts.organization_id = ended.organization_id and attempts.event_id = ended.event_id
      and attempts.endpoint_id = ended.endpoint_id and attempts.number = ended.attempts`;
}

/** Records events and notifies the worker. */
async function record(count: number): Promise<string[]> {
  const ids = await makeEvents(test.database, organization_id, count);
  await notifyWorkers(test.database, "events", [organization_id]);
  return ids;
}

/** The context of the organization's staff. */
function context(): Context {
  return {
    database: test.database,
    organization: { id: organization_id, currency: "USD", subscription_status: "active" },
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
}

it("disables only an endpoint that has failed for 5 days", async () => {
  const failing = await endpoint("/failing", 500);
  const almost = await endpoint("/almost", 500);
  const long_ago = await endpoint("/long-ago", 500);
  const fresh = await endpoint("/fresh", 500);
  const healthy = await endpoint("/healthy", 204);
  const idle = await endpoint("/idle", 204, await makeOrganization(test.database));
  await record(1);
  for (const id of [failing, almost, long_ago, fresh]) await hasFailed(id, 1);
  await age(failing, 5);
  await age(almost, 4.9);
  // It failed for a day, a while ago, and has been sent nothing since.
  await age(long_ago, 10);
  await test.database`
    update endpoint_health set last_failed_at = failing_since + interval '1 day' where endpoint_id = ${long_ago}`;
  await disableFailing();
  expect(await enabled(failing)).toMatchObject({ enabled: false, disabled_reason: "failing" });
  expect(Date.now() - (await enabled(failing))?.disabled_at.getTime()).toBeLessThan(60_000);
  for (const id of [almost, long_ago, fresh, healthy, idle]) {
    expect(await enabled(id)).toEqual({ enabled: true, disabled_reason: null, disabled_at: null });
  }
  const items = await test.database`select identifier from graphile_worker._private_known_crontabs`;
  expect(items.map(({ identifier }) => identifier)).toContain("disable_failing");
});

it.runIf(FULL_TESTS)("counts the days from the first consecutive failure of any delivery", async () => {
  const id = await endpoint("/failing", 500);
  await record(1);
  await hasFailed(id, 1);
  const first = await health(id);
  await record(3);
  await until(async () => expect((await health(id))?.failures).toBe(4));
  const last = await health(id);
  expect(last?.failing_since).toEqual(first?.failing_since);
  expect(last?.last_failed_at.getTime()).toBeGreaterThan(first?.last_failed_at.getTime());
  await age(id, 5);
  await disableFailing();
  expect(await enabled(id)).toMatchObject({ enabled: false, disabled_reason: "failing" });
});

it("restarts the count after one success", async () => {
  const id = await endpoint("/flaky", 500);
  await record(1);
  await hasFailed(id, 1);
  await age(id, 4.999);
  statuses.set("/flaky", 204);
  await record(1);
  await has(id, "delivered", 1);
  expect(await health(id)).toMatchObject({ failures: 0, failing_since: null, last_failed_at: null });
  statuses.set("/flaky", 500);
  await record(1);
  await hasFailed(id, 2);
  await age(id, 4.999);
  await disableFailing();
  expect(await enabled(id)).toMatchObject({ enabled: true });
  await age(id, 0.001);
  await disableFailing();
  expect(await enabled(id)).toMatchObject({ enabled: false, disabled_reason: "failing" });
});

it("cancels pending deliveries of a disabled endpoint and creates no new ones", async () => {
  const id = await endpoint("/failing", 503);
  const other = await endpoint("/other", 503);
  await record(100);
  await until(async () => {
    const tried = (await deliveries(id)).reduce((sum, { attempts }) => sum + Number(attempts), 0);
    expect(tried).toBeGreaterThanOrEqual(5);
    // Nothing of it is under way any more.
    expect(receiver.ids("/failing")).toHaveLength(tried);
  });
  await age(id, 5);
  await disableFailing();
  await has(id, "canceled", 100);
  await record(1);
  expect(await deliveries(id)).toHaveLength(100);
  expect(await deliveries(other)).toHaveLength(101);
  const asked = receiver.ids("/failing").length;
  await makeDue(id);
  statuses.set("/other", 204);
  await makeDue(other);
  await has(other, "delivered", 101);
  expect(receiver.ids("/failing")).toHaveLength(asked);
});

it("replays events from the first failure when an endpoint is enabled with a replay", async () => {
  const id = await endpoint("/failing", 500);
  const before = await makeOldEvent(5.1);
  // Earlier deliveries do not count for its failures: here as if the service had given them up then.
  await hasFailed(id, 1);
  await giveUp();
  const exhausted = await makeOldEvent(4.9);
  await hasFailed(id, 1);
  await giveUp();
  const canceled = await record(5);
  await until(async () => expect((await health(id))?.failures).toBeGreaterThanOrEqual(5));
  await age(id, 5);
  await disableFailing();
  await has(id, "canceled", 5);
  const missed = await record(5);
  statuses.set("/failing", 204);
  const asked = receiver.ids("/failing").length;
  await enableEndpoint(context(), { id, replay_missed: true }, POLICY);
  await has(id, "delivered", 11);
  const replayed = receiver.ids("/failing").slice(asked);
  expect(replayed.sort()).toEqual([exhausted, ...canceled, ...missed].sort());
  expect(await deliveries(id, "exhausted")).toMatchObject([{ event_id: before }]);
  expect(await health(id)).toMatchObject({ failures: 0, failing_since: null });
});

it.runIf(FULL_TESTS)("sends only new events when an endpoint is enabled without a replay", async () => {
  const id = await endpoint("/failing", 500);
  await record(3);
  await until(async () => expect((await health(id))?.failures).toBe(3));
  await age(id, 5);
  await disableFailing();
  await has(id, "canceled", 3);
  await record(3);
  statuses.set("/failing", 204);
  await enableEndpoint(context(), { id, replay_missed: false }, POLICY);
  const fresh = await record(3);
  await has(id, "delivered", 3);
  expect((await deliveries(id, "delivered")).map(({ event_id }) => event_id)).toEqual(fresh);
  await has(id, "canceled", 3);
  // Its slate is clean: earlier failures do not count any more.
  statuses.set("/failing", 500);
  await record(1);
  await hasFailed(id, 1);
  await disableFailing();
  expect(await enabled(id)).toMatchObject({ enabled: true });
});

it("disables only the endpoint that responds with 410", async () => {
  const id = await endpoint("/gone", 410);
  const other = await endpoint("/other", 204);
  const [first] = await record(1);
  await until(async () =>
    expect(await enabled(id)).toMatchObject({ enabled: false, disabled_reason: "gone" }),
  );
  await has(id, "exhausted", 1);
  await record(5);
  await has(other, "delivered", 6);
  expect(await deliveries(id)).toEqual([{ event_id: first, state: "exhausted", attempts: 1 }]);
  expect(receiver.ids("/gone")).toEqual([first]);
  expect(await enabled(other)).toMatchObject({ enabled: true });
});

it("delivers to an endpoint again that responded with 410 and was enabled", async () => {
  const id = await endpoint("/gone", 410);
  const [first] = await record(1);
  await until(async () => expect(await enabled(id)).toMatchObject({ enabled: false }));
  await has(id, "exhausted", 1);
  statuses.set("/gone", 204);
  await enableEndpoint(context(), { id, replay_missed: true }, POLICY);
  await has(id, "delivered", 1);
  expect(receiver.ids("/gone")).toEqual([first, first]);
  expect(await enabled(id)).toMatchObject({ enabled: true });
});

it.each([
  { status: 204, state: "delivered" },
  { status: 500, state: "canceled" },
])(
  "records the response $status to an attempt in flight while the endpoint is disabled",
  async ({ status, state }) => {
    let answer = () => {};
    receiver.answer = (_, response) => {
      answer = () => response.writeHead(status).end();
    };
    const id = await endpoint("/slow", status);
    const [event_id = ""] = await record(1);
    await receiver.has(1);
    await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    values (${organization_id}, ${id}, 1, now() - interval '6 days', now())`;
    await disableFailing();
    expect(await enabled(id)).toMatchObject({ enabled: false, disabled_reason: "failing" });
    const delivery = () => getDelivery(context(), { endpoint_id: id, event_id });
    expect(await delivery()).toMatchObject({ state: "canceled", attempts: 0, attempt_log: [] });
    answer();
    await until(async () => expect(await delivery()).toMatchObject({ state, attempt_log: [{ status }] }));
    expect(await delivery()).toMatchObject({ attempts: 1, next_attempt_at: null });
    await makeDue(id);
    expect(await test.database`select from pending_deliveries where endpoint_id = ${id}`).toEqual([]);
    expect(await deliveries(id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  },
);
