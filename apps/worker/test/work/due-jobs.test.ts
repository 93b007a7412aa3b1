import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { dueJobs } from "@findersfee/database/testing/due-jobs";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { addJob } from "@findersfee/database/work/queue";
import { ALL_SHARDS, addNextShardJob, SHARDS, type ShardJob } from "@findersfee/database/work/shards";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestWorker } from "../test-worker.ts";

/** A worker uses half of it, and on a busy machine the process of a test stands still for seconds. */
const LEASE_SECONDS = 12;
/** Without a renewal during a test, which frees the jobs of dead workers. */
const LONG_LEASE_SECONDS = 3_600;
const FAULTS = 3;

let test: TestDatabase;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

/** Starts a worker, and waits until it owns all shards. */
async function startWorker(lease_seconds: number, url = test.url): Promise<void> {
  const before = await tokens();
  const database = connect({ url, poolSize: 6, prepare: true, name: "findersfee worker" });
  closed.push(() => database.end({ timeout: 5 }));
  const worker = await startTestWorker({ ...test, database, url }, { lease_seconds });
  closed.push(() => worker.stop());
  await eventually(() => expectTakenSince(before));
}

/** How often each shard was taken. */
async function tokens(): Promise<ReadonlyMap<number, number>> {
  const rows = await test.database<{ shard: number; token: number }[]>`select shard, token::int from shards`;
  return new Map(rows.map(({ shard, token }) => [shard, token]));
}

async function expectTakenSince(before: ReadonlyMap<number, number>): Promise<void> {
  const now = await tokens();
  const former = ALL_SHARDS.filter((shard) => (now.get(shard) ?? 0) <= (before.get(shard) ?? 0));
  expect(former).toEqual([]);
}

it("lists no shard that a living worker owns, and every job that nobody runs", async () => {
  await startWorker(LONG_LEASE_SECONDS);
  // As after the renewal of its lease.
  await test.database`
    update workers set queue_worker_ids = (select array_agg(distinct locked_by) from graphile_worker.jobs)`;
  await test.database`update graphile_worker._private_jobs set run_at = now() - interval '50 minutes'`;
  expect(await dueJobs(test.database)).toEqual([]);

  await addJob(test.database, "unknown", { key: "waits" });
  await addJob(test.database, "unknown", { key: "later" });
  await test.database`
    update graphile_worker._private_jobs set run_at = now() + interval '1 minute' where key = 'later'`;
  const ofShard = (shard: number) => test.database`key = ${`own_shard:${shard}`}`;
  await test.database`update graphile_worker._private_jobs set locked_by = 'pool-dead' where ${ofShard(3)}`;
  await test.database`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = max_attempts, key = null
    where ${ofShard(5)}`;
  const due = await dueJobs(test.database);
  expect(due).toMatchObject([
    { task: "own_shard", key: "own_shard:3", locked_by: "pool-dead", seconds: expect.any(Number) },
    { task: "own_shard", key: null, locked_by: null },
    { task: "unknown", key: "waits", locked_by: null, seconds: expect.any(Number) },
  ]);
  expect(due[0]?.seconds).toBeGreaterThanOrEqual(3_000);
  expect(due[2]?.seconds).toBeLessThan(60);
});

it("adds no job that waits behind a shard's owner, if a former owner ends late", async () => {
  await startWorker(LONG_LEASE_SECONDS);
  const jobs = () =>
    test.database<[ShardJob]>`
      select id::text, locked_by from graphile_worker.jobs where queue_name = 'own_shard:3' order by id`;
  const [{ id, locked_by }] = await jobs();
  await addNextShardJob(test.database, 3, { id, locked_by: "pool-former" });
  expect(await jobs()).toEqual([{ id, locked_by }]);
  await addNextShardJob(test.database, 3, { id, locked_by });
  expect(await jobs()).toEqual([
    { id, locked_by },
    { id: expect.any(String), locked_by: null },
  ]);
});

it.each(casesOf(["cut_after", "cut_before", "error_after", "error_before"] as const, { short: 1 }))(
  "owns all shards again, and leaves no job due, if the ends of their jobs are not recorded (%s)",
  async (kind) => {
    const faulty = await FaultyPostgres.before(test.url);
    closed.push(() => faulty.close());
    await startWorker(LEASE_SECONDS, faulty.url);
    const before = await tokens();
    faulty.follow(({ sql }) =>
      /delete from \S*_private_jobs/.test(sql) && faulty.failed.length < FAULTS ? kind : null,
    );
    // When it renews its lease, it gives all shards up, as after a failover.
    await test.database`update workers set alive_until = now()`;
    await eventually(() => expect(faulty.failed).toHaveLength(FAULTS));
    await eventually(async () => {
      await expectTakenSince(before);
      expect(await dueJobs(test.database)).toEqual([]);
      expect(await test.database`select from graphile_worker.jobs where key like 'own_shard:%'`).toHaveLength(
        SHARDS,
      );
    });
  },
);
