import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
let worker: Worker | null = null;

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  await worker?.stop();
  worker = null;
  await receiver.close();
  await test.close();
});

async function delivered(): Promise<number> {
  const [row] = await test.database<[{ count: number }]>`
    select count(*)::int as count from deliveries where state = 'delivered'`;
  return row.count;
}

it("delivers in strict order, one at a time, despite failures", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await test.database`update endpoints set ordered = true`;
  const ids = await makeEvents(test.database, organization_id, 60);
  const failing = new Set([ids[0], ids[7], ids[8], ids[40]]);
  let under_way = 0;
  let most = 0;
  receiver.answer = ({ id }, response) => {
    under_way += 1;
    most = Math.max(most, under_way);
    // Long enough for others to overtake it.
    setTimeout(() => {
      under_way -= 1;
      response.writeHead(failing.delete(id) ? 503 : 204).end();
    }, 5);
  };
  worker = await startTestWorker(test);
  await eventually(async () => {
    await test.database`update pending_deliveries set due_at = now() where due_at > now()`;
    expect(await delivered()).toBe(60);
  });
  expect(most).toBe(1);
  // Each failure is followed by the same event once more.
  const expected = ids.flatMap((id, index) => ([0, 7, 8, 40].includes(index) ? [id, id] : [id]));
  expect(receiver.ids()).toEqual(expected);
});

it("respects the rate limit of an endpoint without delaying others", async () => {
  const limited = await subscribe(test.database, organization_id, receiver.url("/limited"));
  await test.database`update endpoints set requests_per_second = 20`;
  await subscribe(test.database, organization_id, receiver.url("/other"));
  await makeEvents(test.database, organization_id, 50);
  worker = await startTestWorker(test);
  await eventually(async () => expect(await delivered()).toBe(100));
  // Not when they arrived: a busy machine opens the first connection late.
  const [sent] = await test.database<[{ count: number; milliseconds: number }]>`
    select count(*)::int as count,
      extract(epoch from max(attempted_at) - min(attempted_at))::float8 * 1000 as milliseconds
    from attempts where endpoint_id = ${limited.endpoint_id}`;
  expect(sent.count).toBe(50);
  expect(sent.milliseconds).toBeGreaterThan((49 / 20) * 1000 * 0.9);
});
