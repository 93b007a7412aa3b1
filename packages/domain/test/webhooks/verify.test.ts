import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { readBacklog } from "@findersfee/database/webhooks/backlog";
import { migrateQueue } from "@findersfee/database/work/queue";
import { ALL_SHARDS, addShardJobs } from "@findersfee/database/work/shards";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { verifyDeliveries } from "../../src/webhooks/deliveries/verify.ts";
import { FAILING } from "../../src/webhooks/endpoints/probes.ts";
import { addEndpoint, makeContext, recordEvents } from "../subscriber.ts";

let test: TestDatabase;
let context: Context;
let endpoint_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  await migrateQueue(test.url);
});

beforeEach(async () => {
  await test.database`truncate pending_deliveries, workers`;
  context = await makeContext(test.database);
  ({ id: endpoint_id } = await addEndpoint(context));
  await test.database`
    insert into workers (id, started_at, alive_until, renewed_at)
    values (${newId(new Date())}, now(), now() + interval '1 hour', now())`;
  await addShardJobs(test.database, ALL_SHARDS);
});

afterAll(() => test.close());

async function findings(): Promise<string[]> {
  const found = await verifyDeliveries(test.database);
  // Seconds may pass until then.
  return found.map(({ subject, finding }) => `${subject}: ${finding.replace(/ 12\d s\b/, " 120 s")}`);
}

async function setDue(ago: string): Promise<void> {
  await test.database`update pending_deliveries set due_at = now() - ${ago}::interval`;
}

it("finds nothing while all deliveries progress", async () => {
  expect(await findings()).toEqual([]);
  await recordEvents(context, 3);
  expect(await findings()).toEqual([]);
  await setDue("-1 hour");
  expect(await findings()).toEqual([]);
});

it("reports an endpoint without a due attempt", async () => {
  await recordEvents(context, 3);
  await setDue("2 minutes");
  expect(await findings()).toEqual([
    `endpoint ${endpoint_id}: has had a delivery due for 120 s without an attempt`,
  ]);
});

it("tolerates a failing endpoint until its next probe", async () => {
  await recordEvents(context, 3);
  await setDue("1 hour");
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    values (${context.organization.id}, ${endpoint_id}, 9, now(), now() - interval '5 minutes')`;
  expect(await findings()).toEqual([]);
  await test.database`update endpoint_health set last_failed_at = now() - interval '7 minutes'`;
  expect(await findings()).toHaveLength(1);
});

it("tolerates deliveries that strict order blocks until the oldest event is late", async () => {
  const [first = ""] = await recordEvents(context, 3);
  await setDue("1 hour");
  await test.database`update pending_deliveries set due_at = now() + interval '1 hour' where event_id = ${first}`;
  expect(await findings()).toHaveLength(1);
  await test.database`update endpoints set ordered = true where id = ${endpoint_id}`;
  expect(await findings()).toEqual([]);
  expect(await readBacklog(test.database, FAILING)).toMatchObject({ due: 2, oldest_due_seconds: 0 });
  await test.database`update pending_deliveries set due_at = now() - interval '2 minutes' where event_id = ${first}`;
  expect(await findings()).toEqual([
    `endpoint ${endpoint_id}: has had a delivery due for 120 s without an attempt`,
  ]);
  expect((await readBacklog(test.database, FAILING)).oldest_due_seconds).toBeCloseTo(120, -1);
});

it("reports deliveries without an endpoint or an event", async () => {
  const [event_id = ""] = await recordEvents(context, 1);
  await setDue("2 minutes");
  await test.database`
    update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'operator' where id = ${endpoint_id}`;
  expect(await findings()).toEqual([
    `endpoint ${endpoint_id}: is disabled, and a delivery that has been due for 120 s is not canceled`,
  ]);
  await test.database`delete from endpoints where id = ${endpoint_id}`;
  await test.database`delete from events where id = ${event_id}`;
  expect(await findings()).toEqual([
    `endpoint ${endpoint_id}: has pending deliveries, and no longer exists`,
    `endpoint ${endpoint_id}: has a pending delivery of the event ${event_id}, which no longer exists`,
  ]);
});

it("reports shards without an owner and a lack of workers", async () => {
  await test.database`
    update graphile_worker._private_jobs set run_at = now() - interval '5 minutes'`;
  expect(await findings()).toHaveLength(ALL_SHARDS.length);
  expect((await findings())[7]).toBe("shard 7: no worker owns it, so its work waits");
  await test.database`update workers set queue_worker_ids = array['alive']`;
  await test.database`update graphile_worker._private_jobs set locked_by = 'alive', locked_at = now()`;
  expect(await findings()).toEqual([]);
  await test.database`truncate workers`;
  expect(await findings()).toEqual(["the workers: none is running"]);
  await test.database`delete from graphile_worker._private_jobs`;
});
