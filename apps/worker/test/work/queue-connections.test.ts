import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { addJob } from "@findersfee/database/work/queue";
import type { TaskList } from "graphile-worker";
import { test as base, expect } from "vitest";
import type { Queue } from "../../src/work/queue.ts";
import { captureLog, queuedJobs, startTestQueue, type TestQueueOptions } from "./test-queue.ts";

/** A database of each test's own, and what it closes at its end. */
interface Own {
  test: TestDatabase;
  /** Called after the test, the last one first. */
  closed: (() => Promise<void>)[];
  startQueue: (tasks: TaskList, options?: TestQueueOptions) => Queue;
}

const it = base.extend<Own>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs
  closed: async ({}, use) => {
    const closed: Own["closed"] = [];
    await use(closed);
    for (const close of closed.reverse()) await close();
  },
  test: async ({ closed }, use) => {
    const test = await createTestDatabase();
    closed.push(() => test.close());
    await use(test);
  },
  startQueue: async ({ test, closed }, use) => {
    await use((tasks, options = {}) => {
      const queue = startTestQueue(test, tasks, options);
      closed.push(() => queue.stop());
      return queue;
    });
  },
});

/** Ends the queue's connections, as a server that stops does; returns how many there were. */
async function cutConnections({ database }: TestDatabase): Promise<number> {
  const cut = await database`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'findersfee job queue'`;
  return cut.length;
}

it.concurrent("stops although its connection breaks before it listens", async ({
  test,
  closed,
  startQueue,
}) => {
  const faulty = await FaultyPostgres.before(test.url);
  closed.push(() => faulty.close());
  faulty.follow(({ sql }) => (/^listen/i.test(sql) ? "hang_before" : null));
  const { lines, log } = captureLog("debug");
  const queue = startQueue({ work: async () => {} }, { url: faulty.url, log });
  await eventually(() => expect(faulty.hanging).toBe(1));
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", onUnhandled);
  closed.push(async () => void process.off("unhandledRejection", onUnhandled));
  const stopped = queue.stop();
  // It releases the connection in the same turn of the event loop.
  await eventually(() => expect(lines.join()).toContain("Attempting graceful shutdown"));
  faulty.cut();
  await stopped;
  await eventually(() => expect(lines.join()).toContain("attempting to UNLISTEN"));
  expect(unhandled).toEqual([]);
});

it.concurrent("completes all jobs if its connections are cut repeatedly", async ({ test, startQueue }) => {
  const done = new Set<string>();
  startQueue({
    work: async (payload) => {
      done.add(JSON.stringify(payload));
    },
  });
  let cut = 0;
  for (let number = 0; number < 5; number++) {
    for (let copy = 0; copy < 4; copy++) {
      await addJob(test.database, "work", { payload: { number: String(number), copy: String(copy) } });
    }
    await eventually(() => expect(done.size).toBeGreaterThan(number * 4));
    cut += await cutConnections(test);
  }
  expect(cut).toBeGreaterThan(0);
  await eventually(() => expect(done.size).toBe(20));
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
});

it.concurrent("completes a job that was locked before its connection broke", async ({ test, startQueue }) => {
  let done = 0;
  const queue = startQueue({
    work: async () => {
      done += 1;
    },
  });
  // It has asked for jobs: from now on it waits for nothing but the table of jobs.
  await eventually(async () => {
    expect(await test.database`select from graphile_worker._private_tasks`).toHaveLength(1);
  });
  expect(queue.lock_names).toHaveLength(1);
  await transaction(test.database, async (sql) => {
    await sql`lock table graphile_worker._private_jobs in access exclusive mode`;
    await addJob(sql, "work");
    await sql`update graphile_worker._private_jobs set locked_by = ${queue.lock_names[0] ?? ""}, locked_at = now()`;
    await eventually(async () => {
      const asking = await test.database`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%returning *'`;
      expect(asking.length).toBeGreaterThan(0);
    });
    await cutConnections(test);
  });
  await eventually(() => expect(done).toBe(1));
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
});

it.concurrent.for(casesOf([true, false], { short: 1 }))(
  "completes jobs if its first statements fail (fetched together: %s)",
  async (together, { test, closed, startQueue }) => {
    let done = 0;
    const work = async () => {
      done += 1;
    };
    const faulty = await FaultyPostgres.before(test.url);
    closed.push(() => faulty.close());
    // Those that look its tasks up.
    faulty.follow(({ sql }) =>
      /_private_tasks/.test(sql) && faulty.failed.length < 3 ? "error_before" : null,
    );
    startQueue({ work }, { fetches_together: together, url: faulty.url });
    await addJob(test.database, "work");
    await eventually(() => expect(done).toBe(1));
    expect(faulty.failed).toHaveLength(3);
  },
);

it.concurrent.for(casesOf([true, false], { short: 1 }))(
  "completes jobs that were locked in a lost response (fetched together: %s)",
  async (together, { test, startQueue }) => {
    let done = 0;
    const work = async () => {
      done += 1;
    };
    const queue = startQueue({ work }, { fetches_together: together });
    await eventually(() => expect(queue.lock_names).toHaveLength(1));
    // As if the answer to its request for jobs had been lost.
    await transaction(test.database, async (sql) => {
      for (const name of ["a", "b"]) await addJob(sql, "work", { queue: name });
      const lock = sql`locked_by = ${queue.lock_names[0] ?? ""}, locked_at = now()`;
      await sql`update graphile_worker._private_jobs set ${lock}`;
      await sql`update graphile_worker._private_job_queues set ${lock}`;
    });
    await eventually(() => expect(done).toBe(2));
    await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
  },
);

it.concurrent("stops while its connections are cut", async ({ test, startQueue }) => {
  for (let round = 0; round < (FULL_TESTS ? 10 : 3); round++) {
    let done = 0;
    const queue = startQueue({
      work: async () => {
        done += 1;
      },
    });
    await addJob(test.database, "work");
    await addJob(test.database, "work");
    await eventually(() => expect(done).toBe(2));
    await Promise.all([queue.stop(), cutConnections(test)]);
    await test.database`delete from graphile_worker._private_jobs`;
  }
});
