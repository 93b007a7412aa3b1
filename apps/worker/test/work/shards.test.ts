import type { ServerResponse } from "node:http";
import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { SHARDS } from "@findersfee/database/work/shards";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Worker } from "../../src/worker.ts";
import { Receiver } from "../receiver.ts";
import { makeBacklog, makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

/** Attempts at once to one endpoint, at most. */
const MAX_AT_ONCE = 32;
/** Failures in a row after which an endpoint is only probed. */
const FAILING = 5;
/** The delay of an answer, and how long a path waits for further requests. */
const ANSWER_MILLISECONDS = 20;
const QUIET_MILLISECONDS = 500;
/** A worker uses half of it, and on a busy machine the process of a test stands still for seconds. */
const LEASE_SECONDS = 12;
/** Paths that begin so answer 503. */
const FAILS = "/fails";

let test: TestDatabase;
let receiver: Receiver;
let organization_id: string;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await Receiver.start();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await receiver.close();
  await test.close();
});

/** Starts a worker with connections of its own. */
async function work({
  lease_seconds,
  url = test.url,
}: {
  lease_seconds: number;
  url?: string;
}): Promise<Worker> {
  const database = connect({ url, poolSize: 6, prepare: true, name: "findersfee worker" });
  closed.push(() => database.end({ timeout: 5 }));
  const worker = await startTestWorker({ ...test, database, url }, { lease_seconds });
  closed.push(() => worker.stop());
  return worker;
}

/** How many shards each process owns, most first. */
async function parts(): Promise<number[]> {
  const rows = await test.database<{ count: number }[]>`
    select count(*)::int as count from graphile_worker.jobs
    where task_identifier = 'own_shard' and locked_by is not null group by locked_by order by 1 desc`;
  return rows.map(({ count }) => count);
}

async function expectParts(expected: number[]): Promise<void> {
  await eventually(async () => expect(await parts()).toEqual(expected));
}

async function pending(): Promise<number> {
  const [row] = await test.database<[{ count: number }]>`
    select count(*)::int as count from pending_deliveries`;
  return row.count;
}

it("distributes shards to all workers without interrupting deliveries", async () => {
  const ENDPOINTS = 20;
  for (let number = 0; number < ENDPOINTS; number++)
    await subscribe(test.database, organization_id, receiver.url(`/${number}`));
  const ids: string[] = [];
  const deliver = async () => {
    ids.push(...(await makeEvents(test.database, organization_id, 5)));
    await receiver.has(ids.length * ENDPOINTS);
  };
  const first = await work({ lease_seconds: LEASE_SECONDS });
  await expectParts([32]);
  await deliver();
  const second = await work({ lease_seconds: LEASE_SECONDS });
  await deliver();
  await expectParts([16, 16]);
  if (FULL_TESTS) {
    await work({ lease_seconds: LEASE_SECONDS });
    await deliver();
    await expectParts([11, 11, 10]);
    await second.stop();
    await deliver();
    await expectParts([16, 16]);
  }
  await first.stop();
  await deliver();
  await expectParts([32]);
  await eventually(async () => expect(await pending()).toBe(0));
  expect(receiver.received).toHaveLength(ids.length * ENDPOINTS);
  for (let number = 0; number < ENDPOINTS; number++)
    expect(receiver.ids(`/${number}`).sort()).toEqual(ids.toSorted());
});

it("moves the shards of a stopping worker to others at once", async () => {
  const first = await work({ lease_seconds: 3_600 });
  await expectParts([SHARDS]);
  await work({ lease_seconds: 3_600 });
  await first.stop();
  await expectParts([SHARDS]);
});

it.runIf(FULL_TESTS)(
  "leaves shards with a worker that renews its lease, although distributing them takes longer than the lease",
  async () => {
    await work({ lease_seconds: LEASE_SECONDS });
    await expectParts([SHARDS]);
    const leases = async () =>
      await test.database<
        { started_at: Date; alive_until: Date }[]
      >`select started_at, alive_until from workers`;
    const [before] = await leases();
    const held = await holdTransaction(test.database);
    closed.push(() => held.rollBack());
    // Freeing the jobs of dead workers waits for it.
    await held.sql`lock table graphile_worker._private_job_queues in access exclusive mode`;
    await awaitWaiting(test.database);
    await eventually(async () => {
      const [lease] = await leases();
      expect(lease?.alive_until.getTime()).toBeGreaterThan(
        (before?.alive_until.getTime() ?? 0) + (LEASE_SECONDS + 1) * 1000,
      );
      expect(lease?.started_at).toEqual(before?.started_at);
    });
    await held.rollBack();
    await expectParts([SHARDS]);
  },
);

it.runIf(FULL_TESTS)(
  "gives a joining worker its shards within a quarter of the lease (7.5 s of 30 s)",
  async () => {
    // Leases are renewed only when the test advances the intervals.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    closed.push(async () => void vi.useRealTimers());
    await work({ lease_seconds: 3_600 });
    await expectParts([32]);
    await work({ lease_seconds: 3_600 });
    await vi.advanceTimersByTimeAsync(899_000);
    expect(await parts()).toEqual([32]);
    await vi.advanceTimersByTimeAsync(1_000);
    await eventually(async () => expect((await parts()).length).toBe(2));
    // A worker takes a shard above its part that no other one has taken soon enough, until it renews its lease again.
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(900_000);
      expect(await parts()).toEqual([16, 16]);
    });
  },
);

it("recovers a shard that lost the row of its running job, also during a hanging attempt", async () => {
  const paths = Array.from({ length: 8 }, (_, number) => `/${number}`);
  for (const path of paths) await subscribe(test.database, organization_id, receiver.url(path));
  const rows = await test.database<{ shard: number; urls: string[] }[]>`
    select shard, array_agg(url) as urls from endpoints group by shard`;
  const [lost, other] = rows;
  if (lost === undefined || other === undefined) throw new Error("all endpoints are in one shard");
  const hanging: ServerResponse[] = [];
  receiver.answer = ({ path }, response) => {
    if (lost.urls.some((url) => url.endsWith(path))) hanging.push(response);
    else response.writeHead(204).end();
  };
  await work({ lease_seconds: LEASE_SECONDS });
  await expectParts([SHARDS]);
  await makeEvents(test.database, organization_id, 1);
  await eventually(() => expect(hanging.length).toBeGreaterThan(0));
  const jobOf = (shard: number) => test.database`
    select id from graphile_worker._private_jobs where payload ->> 'shard' = ${String(shard)} and locked_by is not null`;
  const [before] = await jobOf(lost.shard);
  await test.database`delete from graphile_worker._private_jobs where id = ${before?.id}`;
  // The worker adds another one, which starts while the first still runs.
  await eventually(async () => expect(await jobOf(lost.shard)).toHaveLength(1));
  // The worker gives another shard up, and has to find a place for its next job.
  await test.database`update shards set token = token + 1 where shard = ${other.shard}`;
  await makeEvents(test.database, organization_id, 3);
  const received = () => receiver.received.filter(({ path }) => other.urls.some((url) => url.endsWith(path)));
  await eventually(() => expect(received()).toHaveLength(4 * other.urls.length));
  expect(hanging.every(({ closed }) => !closed)).toBe(true);
  for (const response of hanging) response.writeHead(204).end();
  receiver.answer = (_, response) => response.writeHead(204).end();
  await eventually(async () => expect(await pending()).toBe(0));
  await expectParts([SHARDS]);
});

/** A receiver's view of one path. */
class Load {
  open = 0;
  most = 0;
  answered = 0;
  /** After many failures it is only probed, and all earlier attempts have ended. */
  is_probed = false;
  most_probed = 0;
  readonly #held: (() => void)[] = [];
  #quiet: NodeJS.Timeout | undefined;

  begin(): void {
    this.open += 1;
    this.most = Math.max(this.most, this.open);
    if (this.is_probed) this.most_probed = Math.max(this.most_probed, this.open);
  }

  end(): void {
    this.open -= 1;
    this.is_probed ||= this.answered >= FAILING && this.open === 0;
  }

  /** Answers together with the next requests, when no further one comes. */
  hold(answer: () => void): void {
    this.#held.push(answer);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      for (const held of this.#held.splice(0)) held();
    }, QUIET_MILLISECONDS);
  }
}

/**
 * Delays each response of the receiver, and counts the open requests per path. Until a path had as many as are allowed, it
 * answers when no more come: a busy worker has not sent the next request before a short delay is over.
 */
function countLoads(): Map<string, Load> {
  const loads = new Map<string, Load>();
  receiver.answer = ({ path }, response) => {
    const load = loads.get(path) ?? new Load();
    loads.set(path, load);
    load.begin();
    response.on("close", () => load.end());
    const answer = () => {
      load.answered += 1;
      response.writeHead(path.startsWith(FAILS) ? 503 : 204).end();
    };
    if (path.startsWith(FAILS) || load.most >= MAX_AT_ONCE) setTimeout(answer, ANSWER_MILLISECONDS);
    else load.hold(answer);
  };
  return loads;
}

async function subscribeEach(paths: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths)
    ids.push((await subscribe(test.database, organization_id, receiver.url(path))).endpoint_id);
  return ids;
}

/** Makes all retries due now. */
async function makeDue(): Promise<void> {
  await test.database`
    update endpoint_health set last_failed_at = now() - interval '1 hour' where failures >= ${FAILING}`;
  await test.database`update pending_deliveries set due_at = now() where due_at > now()`;
}

it.runIf(FULL_TESTS)(
  "limits the concurrency of each endpoint with four workers, one of them disconnected",
  async () => {
    const loads = countLoads();
    const healthy_paths = Array.from({ length: 8 }, (_, number) => `/${number}`);
    const failing_paths = Array.from({ length: 4 }, (_, number) => `${FAILS}/${number}`);
    const healthy = await subscribeEach(healthy_paths);
    await subscribeEach(failing_paths);
    const ids = await makeBacklog(test.database, organization_id, FULL_TESTS ? 400 : 200);
    const came = () => receiver.received.filter(({ path }) => !path.startsWith(FAILS)).length;

    const proxy = await FaultyPostgres.before(test.url);
    closed.push(() => proxy.close());
    await work({ lease_seconds: 8, url: proxy.url });
    for (let number = 0; number < 3; number++) await work({ lease_seconds: 8 });
    await eventually(
      () => {
        for (const path of healthy_paths) expect(loads.get(path)?.most).toBe(MAX_AT_ONCE);
        expect(came()).toBeGreaterThan((ids.length * healthy.length) / 4);
      },
      { interval: 5 },
    );
    proxy.follow(() => "hang_before");
    await eventually(
      async () => {
        await makeDue();
        const left = await test.database`
        select from pending_deliveries where endpoint_id = any (${healthy})`;
        expect(left).toHaveLength(0);
        for (const path of failing_paths) expect(loads.get(path)?.answered).toBeGreaterThan(2 * FAILING);
        expect(await parts()).toEqual([11, 11, 10]);
      },
      { interval: 100 },
    );
    // The fourth process could not record some deliveries that it sent. They are not lost either, and it has
    // its part again.
    proxy.lift();
    await expectParts([8, 8, 8, 8]);
    await eventually(async () => {
      const attempts = await test.database`select from attempts where endpoint_id = any (${healthy})`;
      expect(attempts).toHaveLength(came());
    });

    for (const path of healthy_paths) {
      expect(new Set(receiver.ids(path))).toEqual(new Set(ids));
      // Others could not know which deliveries the disconnected worker had sent.
      expect(receiver.ids(path).length).toBeLessThan(2 * ids.length);
      expect(loads.get(path)?.most).toBe(MAX_AT_ONCE);
    }
    for (const path of failing_paths)
      expect(loads.get(path)).toMatchObject({ is_probed: true, most_probed: 1 });
  },
);
