import { Writable } from "node:stream";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { ALL_SHARDS, addShardJobs } from "@findersfee/database/work/shards";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
let worker: Worker | null = null;
let lines: Record<string, unknown>[] = [];
/** Collects the worker's log lines. */
const log = pino(
  { base: { name: "findersfee-worker" } },
  new Writable({
    write: (chunk, _, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  }),
);

beforeEach(async () => {
  lines = [];
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  await receiver.close();
  await worker?.stop();
  worker = null;
  await test.close();
});

/** The values of the worker's metrics, by name and labels. */
async function metrics(): Promise<Map<string, number>> {
  const text = (await worker?.registry.metrics()) ?? "";
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

it("logs each attempt with the ids of its delivery", async () => {
  receiver.answer = ({ path }, response) => response.writeHead(path === "/fails" ? 500 : 204).end("no");
  const fails = await subscribe(test.database, organization_id, receiver.url("/fails"));
  const works = await subscribe(test.database, organization_id, receiver.url("/works"));
  const [event_id] = await makeEvents(test.database, organization_id, 1);
  worker = await startTestWorker(test, { log });
  await eventually(() => expect(lines.filter((line) => "event_id" in line)).toHaveLength(2));
  const line = {
    name: "findersfee-worker",
    organization_id,
    event_id,
    duration_milliseconds: expect.any(Number),
  };
  expect(lines.filter((line) => "event_id" in line)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...line, endpoint_id: works.endpoint_id, status: 204, msg: "delivered" }),
      expect.objectContaining({
        ...line,
        endpoint_id: fails.endpoint_id,
        status: 500,
        state: "scheduled",
        error_code: "http_status",
        msg: "attempt failed",
      }),
    ]),
  );
  const logged = JSON.stringify(lines);
  for (const secret of [fails.secret, works.secret, "naïve"]) expect(logged).not.toContain(secret);
});

it("counts attempts by outcome and measures their duration", async () => {
  receiver.answer = ({ path }, response) => {
    if (path === "/resets") response.destroy();
    else response.writeHead(path === "/gone" ? 410 : 204).end();
  };
  for (const path of ["/works", "/resets", "/gone"]) {
    await subscribe(test.database, organization_id, receiver.url(path));
  }
  await makeEvents(test.database, organization_id, 1);
  // The last failure of its schedule. A delivery with the answer 410 is given up at once.
  await test.database`
    update pending_deliveries set failures = 9
    where endpoint_id = (select id from endpoints where url like '%/resets')`;
  worker = await startTestWorker(test, { log });
  await eventually(async () => {
    const seen = await metrics();
    expect(seen.get('findersfee_delivery_attempts_total{outcome="delivered"}')).toBe(1);
    expect(seen.get('findersfee_delivery_attempts_total{outcome="reset"}')).toBe(1);
    expect(seen.get('findersfee_delivery_attempts_total{outcome="http_status"}')).toBe(1);
    expect(seen.get("findersfee_deliveries_exhausted_total")).toBe(2);
    expect(seen.get("findersfee_delivery_attempt_duration_seconds_count")).toBe(3);
    expect(seen.get('findersfee_delivery_attempt_duration_seconds_bucket{le="15"}')).toBe(3);
    expect(seen.get("findersfee_deliveries_in_flight")).toBe(0);
  });
});

it("shows the backlog, the part for failing endpoints, and its age", async () => {
  // It answers nothing until the test ends.
  receiver.answer = () => {};
  const { endpoint_id } = await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 100);
  await test.database`update pending_deliveries set due_at = now() - interval '1 hour' where event_id in (
    select event_id from pending_deliveries order by event_id limit 7)`;
  await test.database`update pending_deliveries set due_at = now() + interval '1 hour' where event_id in (
    select event_id from pending_deliveries order by event_id desc limit 10)`;
  worker = await startTestWorker(test, { log });
  await eventually(async () => {
    const seen = await metrics();
    expect(seen.get("findersfee_deliveries_in_flight")).toBe(2);
    expect(seen.get('findersfee_work_pending{kind="deliveries"}')).toBe(90);
    expect(seen.get('findersfee_work_failing{kind="deliveries"}')).toBe(0);
    expect(seen.get('findersfee_work_oldest_due_seconds{kind="deliveries"}')).toBeGreaterThan(3_599);
    expect(seen.get('findersfee_work_oldest_due_seconds{kind="deliveries"}')).toBeLessThan(3_700);
  });
  // Failing endpoints wait by design.
  await test.database`
    insert into endpoint_health (organization_id, endpoint_id, failures, failing_since, last_failed_at)
    values (${organization_id}, ${endpoint_id}, 5, now(), now())`;
  const seen = await metrics();
  expect(seen.get('findersfee_work_pending{kind="deliveries"}')).toBe(0);
  expect(seen.get('findersfee_work_failing{kind="deliveries"}')).toBe(90);
  expect(seen.get('findersfee_work_oldest_due_seconds{kind="deliveries"}')).toBe(0);
});

it("counts due deliveries from the rows, also those in flight", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 7);
  await test.database`update pending_deliveries set due_at = now() - interval '1 hour'`;
  // A worker that lives and does nothing.
  await addShardJobs(test.database, ALL_SHARDS);
  await test.database`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'held'`;
  await test.database`update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'held'`;
  await test.database`
    insert into workers (id, started_at, alive_until, queue_worker_ids)
    values (gen_random_uuid(), now(), now() + interval '1 hour', '{held}')`;
  worker = await startTestWorker(test, { log });
  const seen = await metrics();
  expect(seen.get('findersfee_work_pending{kind="deliveries"}')).toBe(7);
  expect(seen.get("findersfee_deliveries_in_flight")).toBe(0);
  expect(seen.get('findersfee_work_oldest_due_seconds{kind="deliveries"}')).toBeGreaterThan(3_599);
  expect(receiver.received).toEqual([]);
});
