import type { Database } from "@findersfee/database/connect";
import { dueOrganizations, NO_ORGANIZATION } from "@findersfee/database/processor-work";
import { workOffMessages } from "@findersfee/domain/processors/work-off";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { MessageFigures } from "./figures.ts";
import { Pace } from "./pace.ts";

/** Organizations that are worked for at once, each on a connection of its own. */
const AT_ONCE = 3;
/** Of the connections of a pool that is smaller than that. */
const SHARE = 0.4;
/** Organizations of one look at the database; the next look goes on behind the last one. */
const ROUND = 200;

export interface WorkOffParts {
  database: Database;
  log: Logger;
  /** Tells that there may be something to deliver. */
  wake: (organization_id: string) => void;
}

/**
 * One worker's part in working off the processors' messages: it goes from one organization with due messages
 * to the next and works off a batch of each, so that none waits for another's backlog.
 */
export class MessageWorker {
  readonly #parts: WorkOffParts;
  readonly #figures: MessageFigures;
  readonly #pace = new Pace();
  readonly #at_once: number;
  #running: Promise<void> | null = null;
  #stopping = false;
  #after = NO_ORGANIZATION;

  constructor(parts: WorkOffParts) {
    this.#parts = parts;
    this.#figures = new MessageFigures(parts.database);
    this.#at_once = Math.min(AT_ONCE, Math.ceil(parts.database.options.max * SHARE));
  }

  get registry(): Registry {
    return this.#figures.registry;
  }

  /** Tells that messages may have come. */
  wake(): void {
    this.#pace.wake();
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the batches that are under way are over; whoever comes next goes on. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pace.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#pace.pause(await this.#round());
      } catch (error) {
        this.#parts.log.error({ err: error }, "messages of processors could not be worked off");
        await this.#pace.pauseAfterError();
      }
    }
  }

  /** A batch for each of the next organizations. */
  async #round(): Promise<{ claimed: number; full: boolean }> {
    const { database } = this.#parts;
    const organizations = await dueOrganizations(database, { after: this.#after, limit: ROUND });
    const last = organizations.length === ROUND ? organizations.at(-1) : undefined;
    const more_behind = last !== undefined || this.#after !== NO_ORGANIZATION;
    this.#after = last ?? NO_ORGANIZATION;
    const queue = organizations.values();
    let claimed = 0;
    let full = more_behind;
    const workThrough = async () => {
      for (const organization_id of queue) {
        if (this.#stopping) return;
        const batch = await this.#batch(organization_id);
        claimed += batch.claimed;
        full ||= batch.full;
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: this.#at_once }, workThrough));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return { claimed, full };
  }

  async #batch(organization_id: string): Promise<{ claimed: number; full: boolean }> {
    const { database, log, wake } = this.#parts;
    const worked = await workOffMessages(database, organization_id);
    this.#figures.count(worked);
    const { done, skipped, parked, failed, full } = worked;
    if (done > 0) wake(organization_id);
    if (parked > 0 || failed > 0) {
      log.warn({ organization_id, parked, failed }, "messages of processors were parked or failed");
    }
    return { claimed: done + skipped + parked + failed, full };
  }
}
