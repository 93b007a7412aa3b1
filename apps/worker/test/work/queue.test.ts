import { transaction } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { addJob, unlockJobs } from "@findersfee/database/work/queue";
import type { TaskList } from "graphile-worker";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Queue } from "../../src/work/queue.ts";
import { captureLog, queuedJobs, startTestQueue, type TestQueueOptions } from "./test-queue.ts";

let test: TestDatabase;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

function startQueue(tasks: TaskList, options: TestQueueOptions = {}): Queue {
  const queue = startTestQueue(test, tasks, options);
  closed.push(() => queue.stop());
  return queue;
}

async function areWaiting(count: number): Promise<void> {
  const waiting = await test.database`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
  expect(waiting).toHaveLength(count);
}

it("continues, also with the same job, if the database fails while a job completes", async () => {
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$;
    create trigger fail before delete on graphile_worker._private_jobs execute function fail();`);
  let done = 0;
  startQueue({
    work: async () => {
      done += 1;
      if (done === 2) await test.database.unsafe("drop trigger fail on graphile_worker._private_jobs");
    },
  });
  await addJob(test.database, "work");
  await eventually(() => expect(done).toBe(2));
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
  await addJob(test.database, "work");
  await eventually(() => expect(done).toBe(3));
});

it("continues if the database fails while two jobs complete separately", async () => {
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1);
        raise exception 'out of order';
      end $$;
    create trigger fail before delete on graphile_worker._private_jobs execute function fail();`);
  let done = 0;
  startQueue({
    work: async () => {
      done += 1;
      if (done === 2) await eventually(() => areWaiting(1));
    },
  });
  await transaction(test.database, async (sql) => {
    await sql`select pg_advisory_xact_lock(1)`;
    await addJob(test.database, "work");
    await addJob(test.database, "work");
    await eventually(() => areWaiting(2));
    // Running workers continue with the earlier job.
    await sql.unsafe(
      "create or replace function fail() returns trigger language plpgsql as $$ begin return old; end $$",
    );
  });
  await eventually(() => expect(done).toBe(4));
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
});

it("goes on after two jobs failed to be completed while a third one ran", async () => {
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$;
    create trigger fail before delete on graphile_worker._private_jobs execute function fail();`);
  const { lines, log } = captureLog("error");
  const failures = () => lines.filter((line) => line.includes("Failed to complete jobs")).length;
  const done: string[] = [];
  startQueue(
    {
      work: async (payload) => {
        const { name } = payload as { name: string };
        done.push(name);
        if (done.length > 3) return;
        // The first two are completed in batches of their own. The last one fails, which is recorded in another way.
        await eventually(() => expect(failures()).toBe(["first", "second", "last"].indexOf(name)));
        if (name !== "last") return;
        await test.database.unsafe("drop trigger fail on graphile_worker._private_jobs");
        throw new Error("no");
      },
    },
    { log },
  );
  await transaction(test.database, async (sql) => {
    for (const name of ["first", "second", "last"]) await addJob(sql, "work", { payload: { name } });
  });
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
  expect(done.toSorted()).toEqual(["first", "first", "last", "last", "second", "second"]);
});

it.each(["is done", "fails"])("stops after recording that a job %s", async (end) => {
  let running = false;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const queue = startQueue({
    work: async () => {
      running = true;
      await finished;
      if (end === "fails") throw new Error("no");
    },
  });
  await addJob(test.database, "work");
  await eventually(() => expect(running).toBe(true));
  let stopped = false;
  const stopping = transaction(test.database, async (sql) => {
    await sql`select from graphile_worker._private_jobs for update`;
    const stop = queue.stop().then(() => {
      stopped = true;
    });
    finish();
    await eventually(async () => {
      const waiting = await test.database`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    });
    expect(stopped).toBe(false);
    return { stop };
  });
  await (await stopping).stop;
  const left = end === "fails" ? [{ task_identifier: "work", attempts: 1, locked_by: null }] : [];
  expect(await queuedJobs(test.database)).toEqual(left);
});

it("does not release the locks of others", async () => {
  await addJob(test.database, "work");
  await test.database`
    update graphile_worker._private_jobs set locked_by = 'pool-other', locked_at = now()`;
  startQueue({ work: async () => {}, other: async () => {} });
  await addJob(test.database, "other");
  await eventually(async () => expect(await queuedJobs(test.database)).toHaveLength(1));
  expect(await queuedJobs(test.database)).toEqual([
    { task_identifier: "work", attempts: 0, locked_by: "pool-other" },
  ]);
  await unlockJobs(test.database, ["pool-other"]);
  await eventually(async () => expect(await queuedJobs(test.database)).toEqual([]));
});

it.each([
  { name: "a job of a queue", options: { queue: "one" }, count: 1 },
  { name: "a job", options: {}, count: 1 },
  { name: "jobs that end together", options: {}, count: 3 },
])("does not change $name that another worker took over", async ({ options, count }) => {
  let done = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  startQueue({
    work: async () => {
      await finished;
      done += 1;
    },
    after: async () => {
      done += 1;
    },
  });
  for (let added = 0; added < count; added++) await addJob(test.database, "work", options);
  const taken_over = Array.from({ length: count }, () => ({
    task_identifier: "work",
    locked_by: "pool-other",
  }));
  await eventually(async () =>
    expect(
      (await queuedJobs(test.database)).filter(({ locked_by }) => locked_by?.startsWith("pool-")),
    ).toHaveLength(count),
  );
  await test.database`update graphile_worker._private_jobs set locked_by = 'pool-other'`;
  await test.database`update graphile_worker._private_job_queues set locked_by = 'pool-other'`;
  finish();
  await eventually(() => expect(done).toBe(count));
  await addJob(test.database, "after");
  await eventually(() => expect(done).toBe(count + 1));
  await eventually(async () => expect(await queuedJobs(test.database)).toHaveLength(count));
  expect(await queuedJobs(test.database)).toMatchObject(taken_over);
  const queues = await test.database`select locked_by from graphile_worker._private_job_queues`;
  expect(queues).toEqual("queue" in options ? [{ locked_by: "pool-other" }] : []);
});
