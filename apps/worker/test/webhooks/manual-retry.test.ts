/* A manual retry is the next probe of a failing endpoint: nobody who asks for one waits for the schedule of probes. */

import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { retryDelivery } from "@findersfee/domain/webhooks/deliveries/retry";
import { testEndpoint } from "@findersfee/domain/webhooks/deliveries/send-test";
import { createNotifier } from "@findersfee/domain/work/notify-workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeBacklog, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let receiver: Receiver;
let context: Context;
let endpoint_id: string;
let worker: Worker | null = null;

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  const id = await makeOrganization(test.database);
  const organization = { id, currency: "USD", subscription_status: "active" } as const;
  const notifyWorkers = createNotifier(test.database, "events", (error) => {
    throw error;
  });
  context = { database: test.database, organization, actor: OPERATOR, idempotency: null, notifyWorkers };
  ({ endpoint_id } = await subscribe(test.database, id, receiver.url()));
});

afterEach(async () => {
  await worker?.stop();
  worker = null;
  await receiver.close();
  await test.close();
});

/** Marks the endpoint as failing, with its next probe 5 minutes away. */
async function makeFailing(): Promise<void> {
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    values (${context.organization.id}, ${endpoint_id}, 30, now() - interval '1 hour', now())
    on conflict (organization_id, endpoint_id) do update set failures = 30, last_failed_at = now()`;
}

async function retry(event_id: string): Promise<void> {
  await retryDelivery(context, { event_id, endpoint_id });
}

/** Attempts that are recorded, by event. */
async function attempts(): Promise<Record<string, number>> {
  const rows = await test.database<{ event_id: string; count: number }[]>`
    select event_id, count(*)::int as count from attempts group by event_id`;
  return Object.fromEntries(rows.map(({ event_id, count }) => [event_id, count]));
}

function fail(): void {
  receiver.answer = (_, response) => response.writeHead(500).end();
}

it("probes a failing endpoint at once with the retried delivery", async () => {
  fail();
  const ids = await makeBacklog(test.database, context.organization.id, 20);
  await makeFailing();
  worker = await startTestWorker(test);
  const [, retried = "", tested = ""] = ids.toReversed();
  await retry(retried);
  await eventually(async () => expect(await attempts()).toEqual({ [retried]: 1 }));
  // Once more: it is scheduled by now.
  await retry(retried);
  await eventually(async () => expect(await attempts()).toEqual({ [retried]: 2 }));
  await retry(tested);
  await eventually(async () => expect(await attempts()).toEqual({ [retried]: 2, [tested]: 1 }));
  const test_event = await testEndpoint(context, { id: endpoint_id });
  await receiver.has(4);
  expect(receiver.ids()).toEqual([retried, retried, tested, test_event.event_id]);
  await eventually(async () => {
    const health =
      await test.database`select failures from endpoint_health where endpoint_id = ${endpoint_id}`;
    expect(health).toEqual([{ failures: 34 }]);
  });
});

it("delivers the backlog after a retry succeeds", async () => {
  const ids = await makeBacklog(test.database, context.organization.id, 50);
  await makeFailing();
  worker = await startTestWorker(test);
  const [retried = ""] = ids.toReversed();
  await retry(retried);
  await receiver.has(50);
  expect(receiver.ids()[0]).toBe(retried);
});

it.runIf(FULL_TESTS)("remembers a retry while no worker runs", async () => {
  fail();
  const ids = await makeBacklog(test.database, context.organization.id, 20);
  await makeFailing();
  const [retried = ""] = ids.toReversed();
  await retry(retried);
  await makeFailing();
  worker = await startTestWorker(test);
  await eventually(async () => expect(await attempts()).toEqual({ [retried]: 1 }));
  expect(receiver.ids()).toEqual([retried]);
});

it("makes the attempts of many retries at the endpoint's rate limit", async () => {
  let under_way = 0;
  let most = 0;
  receiver.answer = (_, response) => {
    under_way += 1;
    most = Math.max(most, under_way);
    setTimeout(() => {
      under_way -= 1;
      response.writeHead(500).end();
    }, 20);
  };
  await test.database`update endpoints set requests_per_second = 10`;
  const ids = await makeBacklog(test.database, context.organization.id, 30);
  await makeFailing();
  worker = await startTestWorker(test);
  const retried = ids.slice(10, 18);
  for (const id of retried) await retry(id);
  await eventually(async () =>
    expect(await attempts()).toEqual(Object.fromEntries(retried.map((id) => [id, 1]))),
  );
  expect(most).toBe(1);
  expect(receiver.ids().sort()).toEqual(retried);
  // Not when they arrived: a busy machine opens the first connection late.
  const [sent] = await test.database<[{ milliseconds: number }]>`
    select extract(epoch from max(attempted_at) - min(attempted_at))::float8 * 1000 as milliseconds from attempts`;
  expect(sent.milliseconds).toBeGreaterThan((7 / 10) * 1000 * 0.9);
});

it("keeps strict order: a retry does not overtake the oldest event", async () => {
  fail();
  await test.database`update endpoints set ordered = true`;
  const [first = "", second = ""] = await makeBacklog(test.database, context.organization.id, 3);
  await makeFailing();
  worker = await startTestWorker(test);
  await retry(second);
  await retry(first);
  await eventually(async () => expect(await attempts()).toEqual({ [first]: 1 }));
  expect(receiver.ids()).toEqual([first]);
});
