import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import {
  parseCronItems,
  Logger as QueueLogger,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from "graphile-worker";
import type { Logger } from "pino";

export interface QueueOptions {
  /** The database's address; through a pooler in transaction mode jobs are found by polling only. */
  url: string;
  tasks: TaskList;
  cron: Parameters<typeof parseCronItems>[0];
  log: Logger;
}

const CONCURRENCY = 2;
const POLL_MILLISECONDS = 1_000;
const RESTART_MILLISECONDS = 1_000;

/**
 * Runs jobs of graphile-worker until it is stopped. Its pool ends at some errors of the database and stays
 * ended: so it is started again whenever it ends unasked.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #worker_ids = new Set<string>();
  readonly #stopping = new AbortController();
  #runner: Runner | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** The names under which it locks jobs. */
  get worker_ids(): string[] {
    return [...this.#worker_ids];
  }

  start(): void {
    this.#running = this.#keepRunning();
  }

  /** Resolves when the running jobs are over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runner?.stop().catch(() => {});
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        this.#runner = await this.#run();
        if (signal.aborted) await this.#runner.stop();
        await this.#runner.promise;
        if (!signal.aborted) this.#options.log.warn("the job queue has ended; it is started again");
      } catch (error) {
        this.#options.log.error({ err: error }, "the job queue has failed; it is started again");
      }
      this.#runner = null;
      await delay(RESTART_MILLISECONDS, undefined, { signal }).catch(() => {});
    }
  }

  async #run(): Promise<Runner> {
    const { url, tasks, cron } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    events.on("worker:create", ({ worker }) => this.#worker_ids.add(worker.workerId));
    events.on("worker:stop", ({ worker }) => this.#worker_ids.delete(worker.workerId));
    return await run({
      connectionString: url,
      maxPoolSize: CONCURRENCY + 2,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MILLISECONDS,
      noPreparedStatements: true,
      noHandleSignals: true,
      taskList: tasks,
      parsedCronItems: parseCronItems(cron),
      events,
      logger: queueLogger(this.#options.log),
    });
  }
}

/** Its lines about jobs that went well are none that an operator needs. */
function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    if (level === "error") log.error({ meta_error: meta?.error }, message);
    else if (level === "warning") log.warn(message);
    else log.debug(message);
  });
}
