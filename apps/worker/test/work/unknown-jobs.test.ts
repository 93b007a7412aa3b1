import { EventEmitter } from "node:events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import type { WorkerEvents } from "graphile-worker";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { UnknownJobs } from "../../src/work/unknown-jobs.ts";

const NAME = "this worker";

let test: TestDatabase;
let jobs: UnknownJobs;

beforeEach(async () => {
  test = await createTestDatabase();
  jobs = new UnknownJobs({
    database: test.database,
    log: pino({ level: "silent" }),
    lockNames: () => [NAME],
  });
});

afterEach(async () => {
  await jobs.stop();
  await test.close();
});

/** Adds a job that this worker has locked; returns its id. */
async function addLockedJob(key: string): Promise<string> {
  await test.database`select graphile_worker.add_job('task', job_key => ${key})`;
  const [job] = await test.database<[{ id: string }]>`
    update graphile_worker._private_jobs set locked_by = ${NAME}, locked_at = now() where key = ${key}
    returning id::text`;
  return job.id;
}

async function lockedJobs(): Promise<string[]> {
  const rows = await test.database<{ id: string }[]>`
    select id::text from graphile_worker._private_jobs where locked_by is not null order by id`;
  return rows.map(({ id }) => id);
}

/** A run of the queue. */
class Run {
  readonly events: WorkerEvents = new EventEmitter();

  emit(event: "job:start" | "job:complete", id: string): void {
    this.events.emit(event, { job: { id } } as never);
  }
}

it("frees only locked jobs that do not run", async () => {
  const [executed, twice, unknown] = [
    await addLockedJob("executed"),
    await addLockedJob("twice"),
    await addLockedJob("unknown"),
  ];
  const [former, current] = [new Run(), new Run()];
  jobs.follow(former.events);
  former.emit("job:start", executed);
  jobs.follow(current.events);
  current.emit("job:start", executed);
  current.emit("job:start", twice);
  current.emit("job:start", twice);
  // The former run ends its execution late, and one of two executions of a job ends.
  former.emit("job:complete", executed);
  current.emit("job:complete", twice);
  jobs.start();
  // A check that frees one job would free the others, too: all were locked before the first check.
  await eventually(async () => expect(await lockedJobs()).not.toContain(unknown));
  expect(await lockedJobs()).toEqual([executed, twice]);
});
