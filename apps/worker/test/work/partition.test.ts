import { connect, type Database } from "@findersfee/database/postgres/connect";
import { readTimeLimits } from "@findersfee/database/postgres/time-limits";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { addJob } from "@findersfee/database/work/queue";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

/** Each statement of the worker has as long: more than one takes on a busy machine. */
const SECONDS = 3;

let test: TestDatabase;
let proxy: FaultyPostgres;
let receiver: Receiver;
let organization_id: string;
const closed: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  organization_id = await makeOrganization(test.database);
  receiver = await Receiver.start();
  proxy = await FaultyPostgres.before(test.url);
  closed.push(
    () => receiver.close(),
    () => proxy.close(),
  );
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

/** A worker that reaches Postgres through the proxy only. */
async function startWorker(): Promise<void> {
  const options = { url: proxy.url, prepare: true, name: "worker" };
  const limits = await readTimeLimits(options, SECONDS);
  const database: Database = connect({ ...options, poolSize: 5, limits });
  closed.push(() => database.end({ timeout: 0 }));
  const worker = await startTestWorker(
    { ...test, database, url: proxy.url },
    { queue_limits: limits, lease_seconds: 2 },
  );
  closed.push(() => worker.stop());
}

async function runJob(): Promise<void> {
  await addJob(test.database, "run_retention", { key: "now" });
  await eventually(async () =>
    expect(await test.database`select from graphile_worker.jobs where key = 'now'`).toEqual([]),
  );
}

it("continues deliveries and jobs after a silent network partition", async () => {
  await startWorker();
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 20);
  await receiver.has(20);
  await runJob();
  // The partition meets statements under way as well as idle connections.
  await makeEvents(test.database, organization_id, 200);
  await receiver.has(30);
  proxy.follow(() => "hang_before");
  await makeEvents(test.database, organization_id, 20);
  await addJob(test.database, "run_retention", { key: "now" });
  // Long enough that each statement that was under way has failed.
  await eventually(async () => {
    const rows = await test.database`
      select from workers where alive_until > now()`;
    expect(rows).toEqual([]);
  });
  // New connections work; those that hang stay so.
  proxy.follow(() => null);
  await eventually(async () => {
    const ended = await test.database`select distinct event_id from attempts where ended = 'delivered'`;
    expect(ended).toHaveLength(240);
  });
  expect(await test.database`select from pending_deliveries`).toHaveLength(0);
  await runJob();
  // And it hears of new ones at once.
  await makeEvents(test.database, organization_id, 20);
  await eventually(() => expect(new Set(receiver.ids()).size).toBe(260));
});
