import { setTimeout as delay } from "node:timers/promises";
import { makeAttemptPartitions } from "@findersfee/database/attempt-partitions";
import type { Database } from "@findersfee/database/connect";
import { type Settlement, settle } from "@findersfee/database/delivery-settlement";
import { hasCode } from "@findersfee/database/error-code";
import { isPermanent } from "@findersfee/database/errors";
import type { Logger } from "pino";

const BATCH = 250;
/** How long an attempt may wait for others to be settled with. */
const GATHER_MILLISECONDS = 4;
const RETRY_MILLISECONDS = 500;
const STOP_MILLISECONDS = 2_000;
/** SQLSTATE: among others, that a row belongs to no partition. */
const CHECK_VIOLATION = "23514";

/** An attempt that is over, by the worker that made it. */
export interface SettlementOf extends Settlement {
  worker_id: string;
}

/** Writes down what attempts came to, many at once; nothing is given up while the database is away. */
export class Settler {
  readonly #database: Database;
  readonly #log: Logger;
  #waiting: SettlementOf[] = [];
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #give_up_at = Number.POSITIVE_INFINITY;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  add(settlement: SettlementOf): void {
    this.#waiting.push(settlement);
    if (this.#running !== null) return;
    if (this.#waiting.length >= BATCH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), GATHER_MILLISECONDS);
  }

  /** Resolves when everything added so far is written, or given up because the database stays away. */
  async stop(): Promise<void> {
    this.#give_up_at = performance.now() + STOP_MILLISECONDS;
    while (this.#running !== null || this.#waiting.length > 0) {
      if (this.#running === null) this.#start();
      await this.#running;
    }
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#running !== null || this.#waiting.length === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#waiting.length >= BATCH) this.#start();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#start(), GATHER_MILLISECONDS);
    });
  }

  async #run(): Promise<void> {
    const batch = this.#waiting.splice(0, BATCH);
    const workers = new Set(batch.map(({ worker_id }) => worker_id));
    for (const worker_id of workers) {
      await this.#write(
        worker_id,
        batch.filter((settlement) => settlement.worker_id === worker_id),
      );
    }
  }

  /**
   * Writes until it is written. One attempt that the database refuses must not hold up the others: they
   * are parted from it, and it is written without what its receiver said.
   */
  async #write(worker_id: string, settlements: Settlement[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const settled = await settle(this.#database, { worker_id, settlements });
        const lost = settlements.length - settled.length;
        if (lost > 0 && tries === 1)
          this.#log.warn({ worker_id, deliveries: lost }, "lost the claim on deliveries");
        return;
      } catch (error) {
        if (hasCode(error, CHECK_VIOLATION) && tries <= 2) {
          await makeAttemptPartitions(this.#database, 2).catch(() => {});
          continue;
        }
        if (isPermanent(error) && settlements.length > 1) {
          const middle = settlements.length >> 1;
          await this.#write(worker_id, settlements.slice(0, middle));
          await this.#write(worker_id, settlements.slice(middle));
          return;
        }
        this.#log.error(
          { err: error, worker_id, deliveries: settlements.length },
          "attempts could not be settled",
        );
        if (isPermanent(error)) {
          for (const settlement of settlements) {
            settlement.response = "";
            settlement.error_message = null;
          }
        }
        // Others will make these deliveries once more.
        if (performance.now() > this.#give_up_at) return;
        await delay(RETRY_MILLISECONDS);
      }
    }
  }
}
