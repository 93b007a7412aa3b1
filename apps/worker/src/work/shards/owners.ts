import { setMaxListeners } from "node:events";
import type { Database } from "@findersfee/database/postgres/connect";
import {
  ALL_SHARDS,
  addNextShardJob,
  addShardJobs,
  deleteLostShardJobs,
  SHARDS,
  type ShardJob,
  takeShard,
} from "@findersfee/database/work/shards";
import type { Logger } from "pino";
import { pause } from "../pause.ts";

/** The longest time that a job owns a shard. The job queue considers a job lost after 4 hours. */
const LIFETIME_MILLISECONDS = 60 * 60 * 1000;
const RETRY_MILLISECONDS = 500;
/** How often in a row, and how long, a worker with its full part leaves another shard to other workers. */
const MAX_DECLINED = 5;
const DECLINE_MILLISECONDS = 200;

export interface OwnerDependencies {
  database: Database;
  log: Logger;
  /** A shard is owned from now on. */
  onOwned: (shard: number) => void;
  /** Resolves when nothing of a shard is under way or unrecorded; nothing more is begun. */
  release: (shard: number) => Promise<void>;
  /** Whether the worker's lease is valid. Without it, others free the jobs that this process holds. */
  isAlive: () => boolean;
}

/**
 * The shards that this process owns: one job of the queue each, which runs as long as it owns its shard. The job
 * queue's locks make sure that one job of a shard runs at a time.
 */
export class ShardOwners {
  /** The token of each owned shard. */
  readonly tokens = new Map<number, bigint>();
  readonly #dependencies: OwnerDependencies;
  readonly #ends = new Map<number, AbortController>();
  /** The most shards that this process should own. */
  #part = SHARDS;
  readonly #owning = new Map<number, Promise<void>>();
  readonly #declined = new Map<number, number>();

  constructor(dependencies: OwnerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs the job of a shard: owns it until `signal`, or until another process should. A job that runs here without its lock in
   * the queue, because it was freed or deleted, ends when the next job of its shard starts; that one waits until
   * everything of the former is recorded.
   */
  async own(shard: number, job: ShardJob, signal: AbortSignal): Promise<void> {
    this.end(shard);
    const former = this.#owning.get(shard) ?? Promise.resolve();
    const isLast = () => this.#owning.get(shard) === owning;
    const owning: Promise<void> = former.then(() => (isLast() ? this.#own(shard, signal) : undefined));
    this.#owning.set(shard, owning);
    await owning;
    // Otherwise the queue has a job of this shard: the one that waited for this one.
    if (isLast()) await this.#addNext(shard, job);
  }

  /** While the job still runs: the queue does not report when it has recorded its end. */
  async #addNext(shard: number, { id, locked_by }: ShardJob): Promise<void> {
    const { database, log } = this.#dependencies;
    try {
      await addNextShardJob(database, shard, { id, locked_by });
    } catch (error) {
      // The next worker that renews its lease adds it.
      log.warn({ err: error, shard }, "a shard's next job could not be added");
    }
  }

  async #own(shard: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    // The job queue gives all its jobs the same signal.
    setMaxListeners(0, signal);
    if (!this.#dependencies.isAlive()) {
      await pause(RETRY_MILLISECONDS, signal);
      return;
    }
    const declined = this.#declined.get(shard) ?? 0;
    if (this.#ends.size >= this.#part && declined < MAX_DECLINED) {
      this.#declined.set(shard, declined + 1);
      await pause(DECLINE_MILLISECONDS * Math.random(), signal);
      return;
    }
    this.#declined.delete(shard);
    const end = new AbortController();
    this.#ends.set(shard, end);
    const ended = AbortSignal.any([signal, end.signal]);
    try {
      const token = await this.#take(shard, ended);
      if (token === null) return;
      this.tokens.set(shard, token);
      this.#dependencies.onOwned(shard);
      await pause(LIFETIME_MILLISECONDS * (1 - Math.random() / 4), ended);
    } finally {
      this.tokens.delete(shard);
      await this.#dependencies.release(shard);
      this.#ends.delete(shard);
    }
  }

  /** Gives a shard up. */
  end(shard: number): void {
    this.#ends.get(shard)?.abort();
  }

  /** Gives all shards up. */
  endAll(): void {
    for (const end of this.#ends.values()) end.abort();
  }

  /** Makes room for other workers, and makes sure that each shard has its job. */
  async share(workers: number): Promise<void> {
    this.#part = Math.ceil(SHARDS / Math.max(1, workers));
    const owned = [...this.#ends.keys()];
    for (const shard of owned.slice(this.#part)) this.end(shard);
    await deleteLostShardJobs(this.#dependencies.database);
    await addShardJobs(this.#dependencies.database, ALL_SHARDS);
  }

  async #take(shard: number, signal: AbortSignal): Promise<bigint | null> {
    const { database, log } = this.#dependencies;
    while (!signal.aborted) {
      try {
        return (await takeShard(database, shard)).token;
      } catch (error) {
        log.error({ err: error, shard }, "a shard could not be taken");
        await pause(RETRY_MILLISECONDS, signal);
      }
    }
    return null;
  }
}

/** The shard that a job names; null: it names none. */
export function shardOfJob(payload: unknown): number | null {
  if (typeof payload !== "object" || payload === null || !("shard" in payload)) return null;
  const { shard } = payload;
  return ALL_SHARDS.find((item) => item === shard) ?? null;
}
