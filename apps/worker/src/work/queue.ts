import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Database, TimeLimits } from "@findersfee/database/postgres/connect";
import { QUEUE_SCHEMA, unlockJobs } from "@findersfee/database/work/queue";
import {
  parseCronItems,
  Logger as QueueLogger,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import type { Logger } from "pino";
import { pause } from "./pause.ts";
import { openQueuePool } from "./queue-pool.ts";
import { UnknownJobs } from "./unknown-jobs.ts";

export interface QueueOptions {
  /** Frees jobs. */
  database: Database;
  /** The same database's address; through a pooler in transaction mode jobs are found by polling only. */
  url: string;
  /** The time limits of its statements; by default, there are none. */
  limits?: TimeLimits | null;
  tasks: TaskList;
  cron: Parameters<typeof parseCronItems>[0];
  log: Logger;
  /** Jobs at once. */
  concurrency: number;
  /** Whether jobs are fetched for all free places together. They must not wait for a place then. */
  fetches_together?: boolean;
}

/** Connections of its pool beyond those that wait for new jobs and write down which are done. */
const CONNECTIONS = 4;
const POLL_MILLISECONDS = 1_000;
const RESTART_MILLISECONDS = 1_000;
const STOP_MILLISECONDS = 18_000;

/**
 * Runs jobs of graphile-worker until it is stopped. Its pool ends at some errors of the database and stays
 * ended: so it is started again whenever it ends unasked.
 */
export class Queue {
  readonly #options: QueueOptions;
  /** Each run locks jobs under a name of its own. The name of an ended run stays until its jobs are free. */
  readonly #lock_names = new Set<string>();
  readonly #unknown: UnknownJobs;
  readonly #stopping = new AbortController();
  #runner: Runner | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions) {
    this.#options = options;
    const { database, log } = options;
    this.#unknown = new UnknownJobs({ database, log, lockNames: () => this.lock_names });
  }

  /** The names under which it locks jobs. */
  get lock_names(): string[] {
    return [...this.#lock_names];
  }

  start(): void {
    this.#running = this.#runUntilStopped();
    this.#unknown.start();
  }

  /** Resolves when the running jobs have ended and are recorded. Aborted after 5 s, abandoned after 18 s. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#unknown.stop();
    const onError = (error: unknown) =>
      this.#options.log.warn({ err: error }, "the job queue failed to stop");
    const stopped = Promise.resolve(this.#runner?.stop().catch(onError)).then(() => this.#running);
    await Promise.race([stopped, delay(STOP_MILLISECONDS, undefined, { ref: false })]);
  }

  async #runUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#unlock();
        this.#runner = await this.#run();
        if (signal.aborted) await this.#runner.stop();
        await this.#runner.promise;
        if (!signal.aborted) this.#options.log.warn("the job queue has ended; it is started again");
      } catch (error) {
        this.#options.log.error({ err: error }, "the job queue has failed; it is started again");
      }
      this.#runner = null;
      await pause(RESTART_MILLISECONDS, signal);
    }
    await this.#unlock().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "jobs may still be locked; they are freed with the lease"),
    );
  }

  /** Frees jobs that a run could not mark as done, so that any worker can repeat them. */
  async #unlock(): Promise<void> {
    const names = this.lock_names;
    if (names.length === 0) return;
    await unlockJobs(this.#options.database, names);
    for (const name of names) this.#lock_names.delete(name);
  }

  async #run(): Promise<Runner> {
    const { url, limits = null, log, tasks, cron, concurrency, fetches_together = false } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => this.#lock_names.add(workerPool.id));
    this.#unknown.follow(events);
    const pool = openQueuePool({ url, limits, log, size: CONNECTIONS });
    const end = () => void pool.end();
    const runner = run({
      pgPool: pool,
      schema: QUEUE_SCHEMA,
      concurrency,
      pollInterval: POLL_MILLISECONDS,
      noPreparedStatements: true,
      noHandleSignals: true,
      // Without these two settings, nobody awaits the marking of a job as done: an error of the database
      // there would end the process, and stopping would leave the job locked.
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          ...(fetches_together ? { localQueue: { size: concurrency } } : {}),
        },
      },
      taskList: tasks,
      parsedCronItems: parseCronItems(cron),
      events,
      logger: queueLogger(log),
    });
    runner.then(({ promise }) => promise).then(end, end);
    return await runner;
  }
}

/** Jobs that own shards hold no connection while they run, so few connections are enough for many of them. */
const NEEDLESS_WARNING = "smaller than concurrency";

/** Its lines about jobs that went well are none that an operator needs. */
function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    if (level === "error") log.error({ err: meta?.error }, message);
    else if (level === "warning" && !message.includes(NEEDLESS_WARNING)) log.warn(message);
    else log.debug(message);
  });
}
