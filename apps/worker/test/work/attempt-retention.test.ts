/* Partitions of attempts: created ahead, and dropped after the retention. Each test has a database without any. */
import { transaction } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { newId } from "@findersfee/domain/ids";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";
import { daysAgo, runRetention } from "./retaining.ts";

let test: TestDatabase;
let organization_id: string;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase({ partitioned: false });
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

async function work(options: TestWorkerOptions = {}): Promise<void> {
  const worker = await startTestWorker(test, options);
  closed.push(() => worker.stop());
}

async function startReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  closed.push(() => receiver.close());
  return receiver;
}

async function partitions(): Promise<string[]> {
  const rows = await test.database`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'attempts'::regclass order by 1`;
  return rows.map(({ name }) => name);
}

function partitionOf(days_ago: number): string {
  return `attempts_${daysAgo(days_ago).toISOString().slice(0, 10).replaceAll("-", "_")}`;
}

async function insertAttempt(attempted_at: Date): Promise<void> {
  await test.database`
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, response)
    values (${organization_id}, ${newId(attempted_at)}, ${newId(attempted_at)}, ${attempted_at}, 1, 5, '')`;
}

async function attemptTimes(): Promise<Date[]> {
  const rows = await test.database`select attempted_at from attempts order by attempted_at`;
  return rows.map(({ attempted_at }) => attempted_at);
}

it("creates partitions ahead for attempts every hour", async () => {
  await work();
  const expected = Array.from({ length: 12 }, (_, index) => partitionOf(1 - index));
  expect(await partitions()).toEqual(expected);
  for (const days of [0, -1, -10]) await insertAttempt(daysAgo(days));
  await expect(insertAttempt(daysAgo(-11))).rejects.toThrow(/no partition/);
  await test.database.unsafe(`drop table ${partitionOf(-10)}`);
  await runRetention(test.database);
  expect(await partitions()).toEqual(expected);
  const items = await test.database`select identifier from graphile_worker._private_known_crontabs`;
  expect(items.map(({ identifier }) => identifier)).toContain("run_retention");
});

it.runIf(FULL_TESTS)("starts while a lock blocks the partitions ahead", async () => {
  await makePartitions(test.database, ATTEMPTS, { ahead: 0 });
  await transaction(test.database, async (sql) => {
    await sql`lock table only attempts in share update exclusive mode`;
    await work();
    expect(await partitions()).toHaveLength(2);
    await insertAttempt(new Date());
  });
  await runRetention(test.database);
  expect(await partitions()).toHaveLength(12);
});

it.runIf(FULL_TESTS)("creates partitions while several workers start", async () => {
  await Promise.all(Array.from({ length: 8 }, () => makePartitions(test.database, ATTEMPTS)));
  expect(await partitions()).toHaveLength(12);
});

it("records an attempt on a day without a partition", async () => {
  const receiver = await startReceiver();
  await work();
  await test.database.unsafe((await partitions()).map((name) => `drop table ${name};`).join(""));
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 3);
  await eventually(async () =>
    expect(await test.database`select from deliveries where state = 'delivered'`).toHaveLength(3),
  );
  expect(await attemptTimes()).toHaveLength(3);
  expect(receiver.received).toHaveLength(3);
});

it("drops partitions of attempts after their retention", async () => {
  for (const days of [0, 7, 29, 30, 31, 45, 400]) {
    await makePartitions(test.database, ATTEMPTS, { ahead: 0, now: daysAgo(days) });
    await insertAttempt(daysAgo(days));
  }
  // A partition that is only partly older than the retention stays.
  await insertAttempt(new Date(daysAgo(30).setUTCHours(0, 0, 0, 0)));
  await work();
  await runRetention(test.database);
  expect(await attemptTimes()).toHaveLength(5);
  expect((await attemptTimes())[0]).toEqual(new Date(daysAgo(30).setUTCHours(0, 0, 0, 0)));
  expect((await partitions())[0]).toBe(partitionOf(30));
  const tables =
    await test.database`select from pg_class where relname like 'attempts\\_%' and relkind = 'r'`;
  expect(tables).toHaveLength((await partitions()).length);
});

it.runIf(FULL_TESTS)("retains attempts for the configured days", async () => {
  for (const days of [0, 2, 3, 4, 10]) {
    await makePartitions(test.database, ATTEMPTS, { ahead: 0, now: daysAgo(days) });
    await insertAttempt(daysAgo(days));
  }
  await work({ retention: { attempts_days: 3, events_days: 90, processor_messages_days: 90 } });
  await runRetention(test.database);
  expect((await partitions())[0]).toBe(partitionOf(3));
  expect(await attemptTimes()).toHaveLength(3);
});
