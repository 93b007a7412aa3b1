import type { Database, TimeLimits } from "@findersfee/database/postgres/connect";
import { type ShardJob, type ShardOwner, shardOf } from "@findersfee/database/work/shards";
import type { MailDelivery } from "@findersfee/database/work/workers";
import type { WorkTopic } from "@findersfee/domain/work/notify-workers";
import type { Logger } from "pino";
import { Lease } from "./lease.ts";
import { Listener } from "./listener.ts";
import { ShardOwners, shardOfJob } from "./owners.ts";

/** An engine that does the work of the owned shards. */
export interface ShardUser {
  /** A shard is owned from now on, or notifications may have been missed: its work is searched for. */
  onMissed(): void;
  /** Organizations have new work. Their shards may be owned by other workers. */
  onNotified(topic: WorkTopic, organization_ids: readonly string[]): void;
  /** Begins nothing more for a shard; resolves when its work has ended, or is abandoned. */
  release(shard: number): Promise<void>;
}

export interface ShardsOptions {
  database: Database;
  log: Logger;
  /** The address to listen at: not through a pooler in transaction mode. */
  url: string;
  limits: TimeLimits | null;
  lease_seconds: number;
  /** How this worker handles mails. */
  mail_delivery: MailDelivery;
  /** The names under which this worker locks jobs. */
  lockNames: () => string[];
}

/**
 * The shards that this worker owns, by its lease and by the jobs that own them, and the notifications of new work. Every
 * engine takes its ownership from here.
 */
export class Shards {
  readonly #owners: ShardOwners;
  readonly #lease: Lease;
  readonly #listener: Listener;
  readonly #users: ShardUser[] = [];

  constructor({ database, log, url, limits, lease_seconds, mail_delivery, lockNames }: ShardsOptions) {
    this.#owners = new ShardOwners({
      database,
      log,
      onOwned: () => this.#missed(),
      release: async (shard) => {
        await Promise.all(this.#users.map((user) => user.release(shard)));
      },
      isAlive: () => this.#lease.id !== null,
    });
    this.#lease = new Lease(database, log, {
      lease_seconds,
      mail_delivery,
      lockNames,
      onRenewed: (workers) => this.#owners.share(workers),
      onLost: () => this.#owners.endAll(),
    });
    this.#listener = new Listener({
      database,
      log,
      url,
      limits,
      onNotified: (topic, organization_ids) => {
        for (const user of this.#users) user.onNotified(topic, organization_ids);
      },
      onMissed: () => this.#missed(),
    });
  }

  /** The token of each owned shard. */
  get tokens(): ReadonlyMap<number, bigint> {
    return this.#owners.tokens;
  }

  /** All owned shards. */
  get owned(): ShardOwner[] {
    return [...this.tokens].map(([shard, token]) => ({ shard, token }));
  }

  /** The right to work for an organization; null: another worker has it. */
  ownerOf(organization_id: string): ShardOwner | null {
    const shard = shardOf(organization_id);
    const token = this.tokens.get(shard);
    return token === undefined ? null : { shard, token };
  }

  /** Before `start`. */
  use(user: ShardUser): void {
    this.#users.push(user);
  }

  /** Before the job queue, which runs the jobs that own shards. */
  async start(): Promise<void> {
    await this.#lease.start();
    this.#listener.start();
  }

  /** The job that owns a shard, until `signal` or until another worker should own it. */
  async own(payload: unknown, job: ShardJob, signal: AbortSignal): Promise<void> {
    const shard = shardOfJob(payload);
    if (shard !== null) await this.#owners.own(shard, job, signal);
  }

  /** Another worker has taken a shard: it is given up here. */
  lost(shard: number): void {
    this.#owners.end(shard);
  }

  /** Gives all shards up. `others`: the end of all jobs; the lease that holds them ends after them. */
  async stop(others: Promise<unknown>): Promise<void> {
    this.#owners.endAll();
    await this.#listener.stop();
    await others;
    await this.#lease.end();
  }

  #missed(): void {
    for (const user of this.#users) user.onMissed();
  }
}
