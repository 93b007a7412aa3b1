import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { ALL_SHARDS, addShardJobs, notifyWorkers } from "@findersfee/database/work/shards";
import { newId } from "@findersfee/domain/ids";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WorkerConfig } from "../../src/config.ts";
import type { Worker } from "../../src/worker.ts";
import { setOwners } from "../owners.ts";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const log = pino({ level: process.env.WORKER_LOG ?? "silent" });

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

async function work(changes: Partial<WorkerConfig> = {}): Promise<Worker> {
  const worker = await startTestWorker(test, { log, ...changes });
  workers.push(worker);
  return worker;
}

async function metrics(): Promise<Map<string, number>> {
  const text = (await workers[0]?.registry.metrics()) ?? "";
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(samples.map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ").at(-1))]));
}

async function countByState(): Promise<Record<string, number>> {
  const rows = await test.database<{ state: string; count: number }[]>`
    select state, count(*)::int as count from deliveries group by state`;
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

it("delivers each event once with a signature and logs the attempts", async () => {
  const { secret } = await subscribe(test.database, organization_id, receiver.url());
  const ids = await makeEvents(test.database, organization_id, 300);
  await work();
  await receiver.has(300);
  await eventually(async () => expect(await countByState()).toEqual({ delivered: 300 }));
  expect([...receiver.ids()].sort()).toEqual([...ids].sort());
  const verifier = new Webhook(secret);
  for (const { body, headers, id } of receiver.received) {
    expect(verifier.verify(body, headers)).toMatchObject({ data: { id } });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["user-agent"]).toBe("Findersfee-Webhooks/0.0.0");
  }
  const attempts = await test.database`select number, status, error_code from attempts`;
  expect(attempts).toHaveLength(300);
  for (const attempt of attempts) expect(attempt).toEqual({ number: 1, status: 204, error_code: null });
});

/** Makes all retries due now, including retries of failing endpoints. */
async function makeDue(): Promise<void> {
  await test.database`update endpoint_health set last_failed_at = now() - interval '1 hour'`;
  await test.database`update pending_deliveries set due_at = now() where due_at > now()`;
  await notifyWorkers(test.database, "events", [organization_id]);
}

it("retries on schedule with the same id and a new signature, then gives up", async () => {
  receiver.answer = (_, response) => response.writeHead(500).end("no\0 luck");
  const { endpoint_id, secret } = await subscribe(test.database, organization_id, receiver.url());
  const [id] = await makeEvents(test.database, organization_id, 1);
  await work();
  const delays: number[] = [];
  for (let attempts = 1; attempts <= 8; attempts++) {
    await receiver.has(attempts);
    const row = await eventually(async () => {
      const [row] = await test.database`
        select state, attempts, extract(epoch from next_attempt_at - last_attempt_at)::float8 as delay
        from deliveries where attempts = ${attempts}`;
      if (row === undefined) throw new Error("not recorded");
      return row;
    });
    if (row.state === "pending") delays.push(row.delay);
    else expect(row).toMatchObject({ state: "exhausted", delay: null });
    await makeDue();
  }
  const schedule = [5, 300, 1800, 7200, 18000, 36000, 36000];
  expect(delays).toHaveLength(schedule.length);
  for (const [index, seconds] of schedule.entries()) {
    expect(delays[index]).toBeGreaterThan(seconds * 0.79);
    // And the time that a busy machine takes to record the attempt.
    expect(delays[index]).toBeLessThan(seconds * 1.21 + 20);
  }
  expect(new Set(receiver.ids())).toEqual(new Set([id]));
  for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  const attempts = await test.database`
    select number, status, error_code, response from attempts order by number`;
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(attempts[0]).toMatchObject({ status: 500, error_code: "http_status", response: "no\ufffd luck" });
  const [health] =
    await test.database`select failures from endpoint_health where endpoint_id = ${endpoint_id}`;
  expect(health).toEqual({ failures: 8 });
});

it("disables an endpoint that responds with 410", async () => {
  await setOwners(test.database, organization_id, ["owner@example.com"]);
  receiver.answer = (_, response) => response.writeHead(410).end();
  const { endpoint_id } = await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 1);
  await work();
  await eventually(async () => {
    expect(await test.database`select enabled, disabled_reason from endpoints`).toEqual([
      { enabled: false, disabled_reason: "gone" },
    ]);
  });
  await eventually(async () => expect(await countByState()).toEqual({ exhausted: 1 }));
  expect(receiver.received).toHaveLength(1);
  expect(endpoint_id).toBeTypeOf("string");
});

it("ends all deliveries of an endpoint that responds with 410", async () => {
  receiver.answer = (_, response) => response.writeHead(410).end();
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 100);
  await work();
  await eventually(async () => {
    const { exhausted = 0, canceled = 0, ...rest } = await countByState();
    expect(rest).toEqual({});
    expect(exhausted + canceled).toBe(100);
  });
});

it("cancels the due deliveries of a disabled endpoint", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 3);
  await test.database`
    update endpoints set enabled = false, disabled_at = now(), disabled_reason = 'operator'`;
  await work();
  await eventually(async () => expect(await countByState()).toEqual({ canceled: 3 }));
  expect(receiver.received).toEqual([]);
});

it("probes a failing endpoint and delivers its backlog after it recovers", async () => {
  receiver.answer = (_, response) => response.writeHead(503).end();
  await subscribe(test.database, organization_id, receiver.url("/failing"));
  await makeEvents(test.database, organization_id, 200);
  await work();
  // At first, the endpoint gets several requests at once. After five failures, the rest waits in its queue.
  await eventually(async () =>
    expect((await metrics()).get('findersfee_work_failing{kind="deliveries"}')).toBeGreaterThan(150),
  );
  const before = receiver.received.length;
  expect(before).toBeLessThan(40);
  const other = await subscribe(test.database, organization_id, receiver.url("/healthy"));
  expect(other.secret).toMatch(/^whsec_/);
  receiver.answer = ({ path }, response) => response.writeHead(path === "/healthy" ? 204 : 503).end();
  const ids = await makeEvents(test.database, organization_id, 50);
  await eventually(() => expect(new Set(receiver.ids("/healthy"))).toEqual(new Set(ids)));

  receiver.answer = (_, response) => response.writeHead(204).end();
  await eventually(
    async () => {
      await makeDue();
      expect(await countByState()).toEqual({ delivered: 300 });
    },
    { interval: 200 },
  );
  const [health] = await test.database`select failures, failing_since from endpoint_health`;
  expect(health).toEqual({ failures: 0, failing_since: null });
});

it.runIf(FULL_TESTS)("shares deliveries between workers without duplicates", async () => {
  for (let number = 0; number < 20; number++) {
    await subscribe(test.database, organization_id, receiver.url(`/${number}`));
  }
  const ids = await makeEvents(test.database, organization_id, 100);
  await Promise.all([work(), work()]);
  await eventually(async () => {
    expect(await countByState()).toEqual({ delivered: 2_000 });
  });
  expect(receiver.received).toHaveLength(2_000);
  for (let number = 0; number < 20; number++)
    expect(new Set(receiver.ids(`/${number}`)).size).toBe(ids.length);
});

it("takes over the shards of a dead worker", async () => {
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 5);
  const dead = newId(new Date());
  await test.database`
    insert into workers (id, started_at, alive_until, queue_worker_ids)
    values (${dead}, now(), now() - interval '1 second', array['dead'])`;
  await addShardJobs(test.database, ALL_SHARDS);
  await test.database`
    update graphile_worker._private_jobs set locked_at = now() - interval '1 minute', locked_by = 'dead'`;
  await test.database`
    update graphile_worker._private_job_queues set locked_at = now() - interval '1 minute', locked_by = 'dead'`;
  await work();
  await eventually(async () => expect(await countByState()).toEqual({ delivered: 5 }));
});
