import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import { isPermanent } from "@findersfee/database/postgres/errors";
import { ATTEMPTS, hasNoPartition, makePartitions } from "@findersfee/database/postgres/partitions";
import { type DeliveryResult, recordResults } from "@findersfee/database/webhooks/delivery-results";
import { continuityOf } from "@findersfee/domain/continuity/continuity";
import type { Logger } from "pino";

const BATCH = 250;
/** The longest time that a result waits for a batch. */
const BATCH_MILLISECONDS = 4;
const RETRY_MILLISECONDS = 500;
const STOP_MILLISECONDS = 2_000;

/** A result to record, and a callback for the time after that. */
export interface AttemptRecord {
  result: DeliveryResult;
  onRecorded: () => void;
}

/**
 * Records the results of attempts in batches, and retries while the database is unavailable. If the process ends before
 * that, the deliveries are still pending and are sent again.
 */
export class AttemptRecorder {
  readonly #database: Database;
  readonly #log: Logger;
  #waiting: AttemptRecord[] = [];
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #give_up_at = Number.POSITIVE_INFINITY;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  add(record: AttemptRecord): void {
    this.#waiting.push(record);
    if (this.#writing !== null) return;
    if (this.#waiting.length >= BATCH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), BATCH_MILLISECONDS);
  }

  /** Stops retrying after 2 s. */
  stopRetrying(): void {
    this.#give_up_at = performance.now() + STOP_MILLISECONDS;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#writing !== null || this.#waiting.length === 0) return;
    const records = this.#waiting.splice(0, BATCH);
    this.#note(records);
    this.#writing = this.#record(records).finally(() => {
      this.#writing = null;
      if (this.#waiting.length >= BATCH) this.#start();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#start(), BATCH_MILLISECONDS);
    });
  }

  /** Notes the delivered events: receivers have them, even if the database loses their records. */
  #note(records: readonly AttemptRecord[]): void {
    const delivered = records.map(({ result }) => result).filter(({ state }) => state === "delivered");
    continuityOf(this.#database)?.noteDelivered(delivered);
  }

  /**
   * A result that the database rejects must not block the others: the batch is split until the result is alone, which is
   * then recorded without the texts of the receiver.
   */
  async #record(records: AttemptRecord[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await recordResults(
          this.#database,
          records.map(({ result }) => result),
        );
        break;
      } catch (error) {
        if (hasNoPartition(error) && tries <= 2) {
          await makePartitions(this.#database, ATTEMPTS, { ahead: 0 }).catch((error: unknown) =>
            this.#log.error({ err: error }, "failed to create partitions of attempts"),
          );
          continue;
        }
        const is_rejected = isPermanent(error);
        if (is_rejected && records.length > 1) {
          const middle = records.length >> 1;
          await this.#record(records.slice(0, middle));
          await this.#record(records.slice(middle));
          return;
        }
        this.#log.error(
          { err: error, deliveries: records.length },
          "failed to record the results of attempts",
        );
        if (is_rejected) for (const { result } of records) removeText(result);
        if (performance.now() > this.#give_up_at) break;
        await delay(RETRY_MILLISECONDS);
      }
    }
    for (const { onRecorded } of records) onRecorded();
  }
}

function removeText(result: DeliveryResult): void {
  result.response = "";
  result.error_message = null;
}
