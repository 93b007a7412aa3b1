import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/connect";
import { type DeliveryResult, recordResults } from "@findersfee/database/delivery-results";
import { isPermanent } from "@findersfee/database/errors";
import { ATTEMPTS, hasNoPartition, makePartitions } from "@findersfee/database/partitions";
import type { Logger } from "pino";

const BATCH = 250;
/** How long a result may wait for others to be recorded with. */
const GATHER_MILLISECONDS = 4;
const RETRY_MILLISECONDS = 500;
const STOP_MILLISECONDS = 2_000;

/** A result, and what follows when it is recorded. */
export interface Recording {
  result: DeliveryResult;
  onRecorded: () => void;
}

/**
 * Records results, many in one statement, until they are recorded: while the database is away they wait. Should the
 * process end before, the deliveries are still pending, and are made once more.
 */
export class Recorder {
  readonly #database: Database;
  readonly #log: Logger;
  #waiting: Recording[] = [];
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #give_up_at = Number.POSITIVE_INFINITY;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  add(recording: Recording): void {
    this.#waiting.push(recording);
    if (this.#running !== null) return;
    if (this.#waiting.length >= BATCH) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), GATHER_MILLISECONDS);
  }

  /** From now on nothing is tried for longer than a moment. */
  hurry(): void {
    this.#give_up_at = performance.now() + STOP_MILLISECONDS;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#running !== null || this.#waiting.length === 0) return;
    this.#running = this.#record(this.#waiting.splice(0, BATCH)).finally(() => {
      this.#running = null;
      if (this.#waiting.length >= BATCH) this.#start();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#start(), GATHER_MILLISECONDS);
    });
  }

  /**
   * One result that the database refuses must not hold up the others: the batch is halved around it, and it is
   * recorded without the receiver's words.
   */
  async #record(recordings: Recording[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await recordResults(
          this.#database,
          recordings.map(({ result }) => result),
        );
        break;
      } catch (error) {
        if (hasNoPartition(error) && tries <= 2) {
          await makePartitions(this.#database, ATTEMPTS, { ahead: 0 }).catch((error: unknown) =>
            this.#log.error({ err: error }, "partitions of attempts could not be made"),
          );
          continue;
        }
        const is_refused = isPermanent(error);
        if (is_refused && recordings.length > 1) {
          const middle = recordings.length >> 1;
          await this.#record(recordings.slice(0, middle));
          await this.#record(recordings.slice(middle));
          return;
        }
        this.#log.error({ err: error, deliveries: recordings.length }, "results could not be recorded");
        if (is_refused) for (const { result } of recordings) withoutWords(result);
        if (performance.now() > this.#give_up_at) break;
        await delay(RETRY_MILLISECONDS);
      }
    }
    for (const { onRecorded } of recordings) onRecorded();
  }
}

function withoutWords(result: DeliveryResult): void {
  result.response = "";
  result.error_message = null;
}
