import type { Database } from "@findersfee/database/postgres/connect";
import { unlockLostJobs } from "@findersfee/database/work/queue";
import {
  countWorkers,
  deleteWorker,
  insertWorker,
  type MailDelivery,
  readTime,
  removeDeadWorkers,
  renewLease,
} from "@findersfee/database/work/workers";
import { newId } from "@findersfee/domain/ids";
import type { Logger } from "pino";

/** How often it is renewed within its time. */
const RENEWALS = 4;
/** A worker stops using its lease this long before it expires, so that its attempts end before another worker takes over. */
const MARGIN_SECONDS = 16;

export interface LeaseHooks {
  lease_seconds: number;
  mail_delivery: MailDelivery;
  lockNames: () => string[];
  /** Called after each renewal, with the number of workers that are alive. */
  onRenewed: (workers: number) => Promise<void>;
  /** The lease has ended, or may have. */
  onLost: () => void;
}

/**
 * The worker's right to its jobs: a row in the database that expires unless it is renewed. When the lease has ended, others
 * free the jobs that this worker runs, and with them its shards.
 */
export class Lease {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #seconds: number;
  readonly #hooks: LeaseHooks;
  #expiry: NodeJS.Timeout | null = null;
  #id: string | null = null;
  #valid_until = 0;
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> | null = null;
  #sharing: Promise<void> | null = null;

  constructor(database: Database, log: Logger, hooks: LeaseHooks) {
    this.#database = database;
    this.#log = log;
    this.#seconds = hooks.lease_seconds;
    this.#hooks = hooks;
  }

  /** The worker's id; null while it has no lease. */
  get id(): string | null {
    return performance.now() < this.#valid_until ? this.#id : null;
  }

  async start(): Promise<void> {
    await this.#renew();
    await this.#sharing;
    this.#timer = setInterval(
      () => {
        this.#renewing ??= this.#renew().finally(() => {
          this.#renewing = null;
        });
      },
      (this.#seconds / RENEWALS) * 1000,
    );
  }

  /** Ends it. */
  async end(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    await this.#renewing;
    await this.#sharing;
    const id = this.#id;
    this.#id = null;
    if (id === null) return;
    try {
      await deleteWorker(this.#database, id);
    } catch (error) {
      this.#log.warn({ err: error }, "ending the worker's lease failed; it will expire");
    }
  }

  async #renew(): Promise<void> {
    const asked_at = performance.now();
    try {
      await this.#extend();
    } catch (error) {
      this.#log.error({ err: error }, "renewing the worker's lease failed");
      return;
    }
    // Counted from before the statement, which may have taken long.
    const margin_seconds = Math.min(MARGIN_SECONDS, this.#seconds / 2);
    this.#valid_until = asked_at + (this.#seconds - margin_seconds) * 1000;
    this.#watchExpiry();
    // Not awaited: on an overloaded server it takes too long, and the lease would expire. Moving the shards
    // would then add to the load.
    this.#sharing ??= this.#share().finally(() => {
      this.#sharing = null;
    });
  }

  async #share(): Promise<void> {
    try {
      await removeDeadWorkers(this.#database);
      await unlockLostJobs(this.#database);
      await this.#hooks.onRenewed(await countWorkers(this.#database));
    } catch (error) {
      this.#log.error({ err: error }, "failed to reclaim expired leases, or to share shards");
    }
  }

  #watchExpiry(): void {
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    this.#expiry = setTimeout(this.#hooks.onLost, this.#valid_until - performance.now());
  }

  async #extend(): Promise<void> {
    // Read before the names: jobs locked under a newer name do not count as lost.
    const renewed_at = await readTime(this.#database);
    const lease = {
      lease_seconds: this.#seconds,
      queue_worker_ids: this.#hooks.lockNames(),
      renewed_at,
    };
    if (this.#id !== null && (await renewLease(this.#database, { id: this.#id, ...lease }))) return;
    if (this.#id !== null) {
      this.#log.warn({ worker_id: this.#id }, "the worker's lease had ended");
      this.#hooks.onLost();
    }
    const id = newId(new Date());
    await insertWorker(this.#database, { id, ...lease, mail_delivery: this.#hooks.mail_delivery });
    this.#id = id;
  }
}
