import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

/*
 * graphile-worker reads its configuration when it is imported. So the folder and the environment are another
 * program's before that, and nothing that imports it is imported at the top.
 */

const log = pino({ level: "silent" });
const ELSEWHERE = { schema: "elsewhere", pollInterval: 3_600_000 };

let folder: string;
/** Other files share the process. */
let before: string;
let test: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-foreign-"));
  const module = `export default { worker: ${JSON.stringify(ELSEWHERE)} };\n`;
  const program = 'throw new Error("this is another program\'s");\n';
  await Promise.all([
    writeFile(join(folder, "package.json"), JSON.stringify({ "graphile-worker": ELSEWHERE })),
    writeFile(join(folder, ".graphile-workerrc"), JSON.stringify(ELSEWHERE)),
    writeFile(join(folder, "graphile-worker.config.cjs"), program),
    writeFile(join(folder, "graphile.config.mjs"), module),
  ]);
  before = process.cwd();
  process.chdir(folder);
  vi.stubEnv("GRAPHILE_WORKER_SCHEMA", ELSEWHERE.schema);
  test = await createTestDatabase({ migrated: false });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  process.chdir(before);
  await test.close();
  await rm(folder, { recursive: true });
});

it("ignores a graphile-worker configuration in the working directory", async () => {
  const { addJob, migrateQueue } = await import("@findersfee/database/work/queue");
  const { Queue } = await import("../../src/work/queue.ts");
  await migrateQueue(test.url);
  await addJob(test.database, "work");
  let done = 0;
  const tasks = {
    work: async () => {
      done += 1;
    },
  };
  const queue = new Queue({ database: test.database, url: test.url, tasks, cron: [], log, concurrency: 1 });
  queue.start();
  try {
    await eventually(() => expect(done).toBe(1));
  } finally {
    await queue.stop();
  }
  const schemas = await test.database`
    select nspname from pg_namespace where nspname in ('graphile_worker', ${ELSEWHERE.schema})`;
  expect(schemas).toEqual([{ nspname: "graphile_worker" }]);
});

it("does not execute a configuration file in the working directory", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "findersfee-foreign-"));
  try {
    await writeFile(join(cwd, "graphile-worker.config.cjs"), 'throw new Error("executed");\n');
    // A process of its own, because graphile-worker looks for its configuration once, when it is first imported.
    const program = `await import(${JSON.stringify(import.meta.resolve("graphile-worker"))})`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd });
  } finally {
    await rm(cwd, { recursive: true });
  }
});
