import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { notifyWorkers, SHARDS } from "@findersfee/database/work/shards";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";
import { HeldReads, SEARCH } from "../work/held-reads.ts";

/** Deliveries that one read takes for an endpoint at first. */
const READ_AHEAD = 32;

let test: TestDatabase;
let reads: HeldReads;
let receiver: Receiver;
let organization_id: string;
const workers: Worker[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  reads = new HeldReads(test.database);
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  reads.release();
  for (const worker of workers.splice(0)) await worker.stop();
  await receiver.close();
  await test.close();
});

/** Starts a worker with the reads that the test holds, or with others. */
async function work(held: boolean, options: TestWorkerOptions = {}): Promise<Worker> {
  const database = held ? reads.database : test.database;
  const worker = await startTestWorker({ ...test, database }, options);
  workers.push(worker);
  return worker;
}

async function count(state: string): Promise<number> {
  const [row] = await test.database<[{ count: number }]>`
    select count(*)::int as count from deliveries where state = ${state}`;
  return row.count;
}

/** Everything comes, and nothing twice. */
async function expectEachOnce(deliveries: number): Promise<void> {
  await eventually(async () => expect(await count("delivered")).toBe(deliveries));
  expect(receiver.received).toHaveLength(deliveries);
  expect(await test.database`select from pending_deliveries`).toEqual([]);
  expect(await test.database`select from attempts`).toHaveLength(deliveries);
}

it("sends no delivery again that a read shows after its result was recorded", async () => {
  receiver.answer = (_, response) => {
    // From the first answer on: the next read shows deliveries that are under way or not recorded.
    if (receiver.received.length === 1) reads.hold();
    response.writeHead(204).end();
  };
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 200);
  await work(true);
  await eventually(async () => {
    expect(reads.held).toBe(1);
    expect(await count("delivered")).toBe(READ_AHEAD);
  });
  reads.release();
  await expectEachOnce(200);
});

it("delivers to an endpoint with a queue during a slow search for pending deliveries", async () => {
  reads = new HeldReads(test.database, SEARCH);
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 1);
  await work(true);
  await receiver.has(1);
  reads.hold();
  await eventually(() => expect(reads.held).toBe(1));
  await makeEvents(test.database, organization_id, 20);
  await notifyWorkers(test.database, "events", [organization_id]);
  await receiver.has(21);
  expect(reads.held).toBe(1);
  reads.release();
  await expectEachOnce(21);
});

it.runIf(FULL_TESTS)("starts no attempt when it stops during a read", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 10);
  reads.hold();
  const first = await work(true);
  await eventually(() => expect(reads.held).toBe(1));
  const stopped = first.stop();
  // Before it has stopped.
  await work(false);
  await makeEvents(test.database, organization_id, 10);
  reads.release();
  await stopped;
  await expectEachOnce(20);
});

it("hands shards to a joining worker during a read without losing or repeating deliveries", async () => {
  const ENDPOINTS = 40;
  for (let number = 0; number < ENDPOINTS; number++)
    await subscribe(test.database, organization_id, receiver.url(`/${number}`));
  await makeEvents(test.database, organization_id, 3);
  reads.hold();
  await work(true, { lease_seconds: 4 });
  await eventually(() => expect(reads.held).toBe(1));
  await work(false, { lease_seconds: 4 });
  // The first one has heard of the second, and begun to give up half of its shards.
  await eventually(async () => {
    const renewed = await test.database`
      select from workers where renewed_at > (select max(started_at) from workers) + interval '1 second'`;
    expect(renewed).toHaveLength(2);
  });
  reads.release();
  await expectEachOnce(3 * ENDPOINTS);
});

it("stops sending for shards that another process took, and takes them back after its end", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await work(false);
  await makeEvents(test.database, organization_id, 5);
  await eventually(async () => expect(await count("delivered")).toBe(5));
  const tokens = async () => {
    const [row] = await test.database<[{ sum: number }]>`
      select sum(token)::int as sum from shards`;
    return row.sum;
  };
  // A worker takes its shards one after the other.
  await eventually(async () => expect(await tokens()).toBe(SHARDS));
  await test.database`update shards set token = token + 1`;
  const fenced = await tokens();
  await makeEvents(test.database, organization_id, 5);
  await expectEachOnce(10);
  await eventually(async () => expect(await tokens()).toBe(fenced + SHARDS));
});
