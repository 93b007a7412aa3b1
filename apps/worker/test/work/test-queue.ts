import type { Database } from "@findersfee/database/postgres/connect";
import type { TestDatabase } from "@findersfee/database/testing";
import { OWN_SHARD } from "@findersfee/database/work/shards";
import type { TaskList } from "graphile-worker";
import { type Logger, pino } from "pino";
import { Queue } from "../../src/work/queue.ts";

export interface TestQueueOptions {
  fetches_together?: boolean;
  /** The database's own by default. */
  url?: string;
  log?: Logger;
}

/** Starts a queue on a test's database, with four jobs at a time. */
export function startTestQueue(
  test: TestDatabase,
  tasks: TaskList,
  { fetches_together = false, url = test.url, log = pino({ level: "silent" }) }: TestQueueOptions = {},
): Queue {
  const queue = new Queue({
    database: test.database,
    url,
    tasks,
    cron: [],
    log,
    concurrency: 4,
    fetches_together,
  });
  queue.start();
  return queue;
}

/** A logger with lines that a test can read. */
export function captureLog(level: "debug" | "error"): { lines: string[]; log: Logger } {
  const lines: string[] = [];
  return { lines, log: pino({ level }, { write: (line) => void lines.push(line) }) };
}

/** All jobs but those that own shards. */
export async function queuedJobs(database: Database) {
  return await database`
    select task_identifier, attempts, locked_by from graphile_worker.jobs
    where task_identifier <> ${OWN_SHARD} order by id`;
}
