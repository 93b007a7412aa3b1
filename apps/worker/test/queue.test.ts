import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { transaction } from "@findersfee/database/connect";
import { addJob, unlockJobs } from "@findersfee/database/queue";
import { OWN_SHARD } from "@findersfee/database/shards";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import type { TaskList } from "graphile-worker";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Queue } from "../src/queue.ts";
import type { Worker } from "../src/worker.ts";
import { MailServer } from "./mail-server.ts";
import { setOwners } from "./owners.ts";
import { Receiver } from "./receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "./subscriptions.ts";
import { startTestWorker } from "./test-worker.ts";

const log = pino({ level: "silent" });

let test: TestDatabase;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

function startQueue(tasks: TaskList, { fetches_together = false, url = test.url, logs = log } = {}): Queue {
  const queue = new Queue({
    database: test.database,
    url,
    tasks,
    cron: [],
    log: logs,
    concurrency: 4,
    fetches_together,
  });
  queue.start();
  closed.push(() => queue.stop());
  return queue;
}

/** A logger whose lines can be read. */
function logged(level: "debug" | "error"): { lines: string[]; logs: typeof log } {
  const lines: string[] = [];
  return { lines, logs: pino({ level }, { write: (line) => void lines.push(line) }) };
}

async function startWorker(smtp_url: string, { lease_seconds = 2 } = {}): Promise<Worker> {
  const worker = await startTestWorker(test, {
    lease_seconds,
    mail: { smtp_url, from: "findersfee@example.com" },
  });
  closed.push(() => worker.stop());
  return worker;
}

/** All but those that own shards. */
async function jobs() {
  return await test.database`
    select task_identifier, attempts, locked_by from graphile_worker.jobs
    where task_identifier <> ${OWN_SHARD} order by id`;
}

/** A mail server that never answers the first connection, and passes later ones on to another. */
async function startStuckMailServer(
  mails: MailServer,
): Promise<{ port: number; sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}).on("data", () => {}));
    if (sockets.length === 1) return;
    const other = connect({ host: "127.0.0.1", port: mails.port }).on("error", () => {});
    socket.pipe(other).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closed.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen on a port.");
  return { port: address.port, sockets };
}

it("frees the jobs of a dead worker for any other worker", async () => {
  const [receiver, mails] = await Promise.all([Receiver.start(), MailServer.start()]);
  for (const server of [receiver, mails]) closed.push(() => server.close());
  const stuck = await startStuckMailServer(mails);
  const organization_id = await makeOrganization(test.database);
  await setOwners(test.database, organization_id, ["owner@example.com"]);
  receiver.answer = (_, response) => response.writeHead(410).end();
  await subscribe(test.database, organization_id, receiver.url());
  await makeEvents(test.database, organization_id, 1);
  // So that it does not renew its lease while the test runs.
  await startWorker(`smtp://127.0.0.1:${stuck.port}`, { lease_seconds: 300 });
  await eventually(() => expect(stuck.sockets).toHaveLength(1));
  // As if it had named its locks when it last renewed the lease, and not been heard of since.
  await test.database`
    update workers set alive_until = now() - interval '1 second',
      queue_worker_ids = (select array_agg(locked_by) from graphile_worker.jobs where locked_by is not null)`;
  await startWorker(mails.url);
  await mails.has(1);
  // The first attempt has not ended: its job was freed under it.
  expect(stuck.sockets[0]?.closed).toBe(false);
});

it("frees jobs that are locked under names of no living worker", async () => {
  const mails = await MailServer.start();
  closed.push(() => mails.close());
  await addJob(test.database, "payout_day", { payload: { lost: "yes" }, queue: "lost" });
  await addJob(test.database, "payout_day", { payload: { lost: "no" }, queue: "held" });
  await test.database`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-' || (payload ->> 'lost')`;
  await test.database`
    update graphile_worker._private_job_queues set locked_at = job.locked_at, locked_by = job.locked_by
    from graphile_worker._private_jobs job where job.job_queue_id = _private_job_queues.id`;
  // Another worker has done one of them.
  await addJob(test.database, "payout_day", { queue: "left" });
  await test.database`
    update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'pool-no' where queue_name = 'left'`;
  await test.database`delete from graphile_worker._private_jobs where locked_by is null`;
  await test.database`
    insert into workers (id, started_at, alive_until, queue_worker_ids)
    values (gen_random_uuid(), now(), now() + interval '1 hour', '{pool-no}')`;
  await startWorker(mails.url);
  await eventually(async () => expect(await jobs()).toHaveLength(1));
  expect(await jobs()).toMatchObject([{ locked_by: "pool-no" }]);
  const locked = test.database`
    select queue_name from graphile_worker._private_job_queues
    where locked_by is not null and not starts_with(queue_name, ${OWN_SHARD})`;
  expect(await locked).toEqual([{ queue_name: "held" }]);
});

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
  await eventually(async () => expect(await jobs()).toEqual([]));
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
  await eventually(async () => expect(await jobs()).toEqual([]));
});

it("goes on after two jobs failed to be completed while a third one ran", async () => {
  await test.database.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$;
    create trigger fail before delete on graphile_worker._private_jobs execute function fail();`);
  const { lines, logs } = logged("error");
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
    { logs },
  );
  await transaction(test.database, async (sql) => {
    for (const name of ["first", "second", "last"]) await addJob(sql, "work", { payload: { name } });
  });
  await eventually(async () => expect(await jobs()).toEqual([]));
  expect(done.toSorted()).toEqual(["first", "first", "last", "last", "second", "second"]);
});

it("stops although its connection breaks before it listens", async () => {
  const faulty = await FaultyPostgres.before(test.url);
  closed.push(() => faulty.close());
  faulty.follow(({ sql }) => (/^listen/i.test(sql) ? "hang_before" : null));
  const { lines, logs } = logged("debug");
  const queue = startQueue({ work: async () => {} }, { url: faulty.url, logs });
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

async function areWaiting(count: number): Promise<void> {
  const waiting = await test.database`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
  expect(waiting).toHaveLength(count);
}

/** Ends the queue's connections, as a server that stops does. */
async function cutConnections(): Promise<void> {
  await test.database`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name <> current_setting('application_name')`;
}

it("completes all jobs if its connections are cut repeatedly", async () => {
  const done = new Set<string>();
  startQueue({
    work: async (payload) => {
      done.add(JSON.stringify(payload));
    },
  });
  for (let number = 0; number < 5; number++) {
    for (let copy = 0; copy < 4; copy++) {
      await addJob(test.database, "work", { payload: { number: String(number), copy: String(copy) } });
    }
    await eventually(() => expect(done.size).toBeGreaterThan(number * 4));
    await cutConnections();
  }
  await eventually(() => expect(done.size).toBe(20));
  await eventually(async () => expect(await jobs()).toEqual([]));
});

it("completes a job that was locked before its connection broke", async () => {
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
    await cutConnections();
  });
  await eventually(() => expect(done).toBe(1));
  await eventually(async () => expect(await jobs()).toEqual([]));
});

it.each([false, true])(
  "completes jobs if its first statements fail (fetched together: %s)",
  async (together) => {
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

it.each([false, true])(
  "completes jobs that were locked in a lost response (fetched together: %s)",
  async (together) => {
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
    await eventually(async () => expect(await jobs()).toEqual([]));
  },
);

it("stops while its connections are cut", async () => {
  for (let round = 0; round < 10; round++) {
    let done = 0;
    const queue = startQueue({
      work: async () => {
        done += 1;
      },
    });
    await addJob(test.database, "work");
    await addJob(test.database, "work");
    await eventually(() => expect(done).toBe(2));
    await Promise.all([queue.stop(), cutConnections()]);
    await test.database`delete from graphile_worker._private_jobs`;
  }
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
  expect(await jobs()).toEqual(left);
});

it("does not release the locks of others", async () => {
  await addJob(test.database, "work");
  await test.database`
    update graphile_worker._private_jobs set locked_by = 'pool-other', locked_at = now()`;
  startQueue({ work: async () => {}, other: async () => {} });
  await addJob(test.database, "other");
  await eventually(async () => expect(await jobs()).toHaveLength(1));
  expect(await jobs()).toEqual([{ task_identifier: "work", attempts: 0, locked_by: "pool-other" }]);
  await unlockJobs(test.database, ["pool-other"]);
  await eventually(async () => expect(await jobs()).toEqual([]));
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
    expect((await jobs()).filter(({ locked_by }) => locked_by?.startsWith("pool-"))).toHaveLength(count),
  );
  await test.database`update graphile_worker._private_jobs set locked_by = 'pool-other'`;
  await test.database`update graphile_worker._private_job_queues set locked_by = 'pool-other'`;
  finish();
  await eventually(() => expect(done).toBe(count));
  await addJob(test.database, "after");
  await eventually(() => expect(done).toBe(count + 1));
  await eventually(async () => expect(await jobs()).toHaveLength(count));
  expect(await jobs()).toMatchObject(taken_over);
  const queues = await test.database`select locked_by from graphile_worker._private_job_queues`;
  expect(queues).toEqual("queue" in options ? [{ locked_by: "pool-other" }] : []);
});
