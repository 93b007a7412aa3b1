import type { Database } from "@findersfee/database/postgres/connect";
import { findLockedJobs, type LockedJob, unlockSingleJobs } from "@findersfee/database/work/queue";
import type { WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import { pause } from "./pause.ts";

/** A job that is locked but does not run for longer than this is freed. */
const CHECK_MILLISECONDS = 3_000;

export interface UnknownJobsDependencies {
  database: Database;
  log: Logger;
  /** The names under which the process locks jobs. */
  lockNames: () => string[];
}

/**
 * Frees jobs that this process has locked without knowing it. If the answer to a request for jobs is lost, graphile-worker
 * sends the request again, and the jobs in the lost answer would stay locked for four hours. Jobs that are locked and do not
 * run, in two checks in a row, are such jobs.
 */
export class UnknownJobs {
  readonly #dependencies: UnknownJobsDependencies;
  readonly #stopping = new AbortController();
  /** The running jobs of the queue's current run: how often each runs, by its id. */
  #running = new Map<string, number>();
  /** Locked jobs that did not run at the last check. */
  #suspects = new Set<string>();
  #checking: Promise<void> = Promise.resolve();

  constructor(dependencies: UnknownJobsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Learns from a new run's events which jobs run. Jobs of the former run are free by now, even those that it still
   * executes; the new run can execute them, too.
   */
  follow(events: WorkerEvents): void {
    const running = new Map<string, number>();
    this.#running = running;
    const count = (id: string, change: number) => {
      const executions = (running.get(id) ?? 0) + change;
      if (executions > 0) running.set(id, executions);
      else running.delete(id);
    };
    events.on("job:start", ({ job }) => count(String(job.id), 1));
    events.on("job:complete", ({ job }) => count(String(job.id), -1));
  }

  start(): void {
    this.#checking = this.#checkRegularly();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#checking;
  }

  async #checkRegularly(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await pause(CHECK_MILLISECONDS, signal);
      if (signal.aborted) return;
      try {
        await this.#check();
      } catch (error) {
        this.#dependencies.log.warn({ err: error }, "locked jobs could not be checked");
      }
    }
  }

  async #check(): Promise<void> {
    const { database, log, lockNames } = this.#dependencies;
    const locked = await findLockedJobs(database, lockNames());
    const unknown = locked.filter(({ id }) => !this.#running.has(id));
    const lost = unknown.filter((job) => this.#suspects.has(nameOf(job)));
    this.#suspects = new Set(unknown.map(nameOf));
    if (lost.length === 0) return;
    await unlockSingleJobs(database, lost);
    log.warn({ jobs: lost.length }, "jobs that were locked and did not run were freed");
  }
}

function nameOf({ id, locked_at }: LockedJob): string {
  return `${id} ${locked_at}`;
}
