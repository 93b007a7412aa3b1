import type { Database } from "@findersfee/database/connect";
import { unlockLostJobs } from "@findersfee/database/queue";
import {
  deleteWorker,
  insertWorker,
  readTime,
  releaseOrphans,
  removeDeadWorkers,
  renewLease,
} from "@findersfee/database/workers";
import { newId } from "@findersfee/domain/ids";
import type { Logger } from "pino";

/** How often it is renewed within its time. */
const RENEWALS = 4;
/** We stop believing in it before the others do. */
const MARGIN = 0.1;

/**
 * The worker's right to what it claims: a name in the database that is alive for a while and renewed. The
 * name is the fencing token: when the lease has ended, others take over what is claimed under it, and this
 * worker goes on under another one.
 */
export class Lease {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #seconds: number;
  readonly #queueWorkerIds: () => string[];
  #id: string | null = null;
  #valid_until = 0;
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    log: Logger,
    hooks: { lease_seconds: number; queueWorkerIds: () => string[] },
  ) {
    this.#database = database;
    this.#log = log;
    this.#seconds = hooks.lease_seconds;
    this.#queueWorkerIds = hooks.queueWorkerIds;
  }

  /** The name to claim under, or null while there is no lease. */
  get id(): string | null {
    return performance.now() < this.#valid_until ? this.#id : null;
  }

  async start(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(
      () => {
        this.#renewing = this.#renewing.then(() => this.#renew());
      },
      (this.#seconds / RENEWALS) * 1000,
    );
  }

  /** Ends it; whatever is still claimed goes to others at once. */
  async end(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#renewing;
    const id = this.#id;
    this.#id = null;
    if (id === null) return;
    try {
      await deleteWorker(this.#database, id);
      await releaseOrphans(this.#database);
    } catch (error) {
      this.#log.warn({ err: error }, "the worker's lease could not be ended; it ends by itself");
    }
  }

  async #renew(): Promise<void> {
    const asked_at = performance.now();
    try {
      await this.#keep();
      // Counted from before the question.
      this.#valid_until = asked_at + this.#seconds * (1 - MARGIN) * 1000;
    } catch (error) {
      this.#log.error({ err: error }, "the worker's lease could not be renewed");
      return;
    }
    try {
      await this.#takeOver();
    } catch (error) {
      this.#log.error({ err: error }, "what dead workers held could not be taken over");
    }
  }

  async #keep(): Promise<void> {
    // Before the names: what is locked from here on under another one is not taken for lost.
    const renewed_at = await readTime(this.#database);
    const lease = { lease_seconds: this.#seconds, queue_worker_ids: this.#queueWorkerIds(), renewed_at };
    if (this.#id !== null && (await renewLease(this.#database, { id: this.#id, ...lease }))) return;
    if (this.#id !== null) this.#log.warn({ worker_id: this.#id }, "the worker's lease had ended");
    const id = newId(new Date());
    await insertWorker(this.#database, { id, ...lease });
    this.#id = id;
  }

  async #takeOver(): Promise<void> {
    await removeDeadWorkers(this.#database);
    const released = await releaseOrphans(this.#database);
    if (released > 0) this.#log.warn({ deliveries: released }, "took over deliveries of a dead worker");
    await unlockLostJobs(this.#database);
  }
}
