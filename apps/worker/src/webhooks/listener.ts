import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type Database, type TimeLimits } from "@findersfee/database/connect";
import { DELIVERIES_CHANNEL, notifyDeliveries } from "@findersfee/database/delivery-shards";
import type { Logger } from "pino";

/** How often the connection is tried out. */
const TRY_MILLISECONDS = 5_000;
const PING = "ping:";

export interface ListenerParts {
  database: Database;
  /** Not through a pooler in transaction mode, which passes on no notifications. */
  url: string;
  /** Of the statement that begins to listen. */
  limits: TimeLimits | null;
  log: Logger;
  onOrganizations: (organization_ids: string[]) => void;
  /** Notifications may have been missed. */
  onMissed: () => void;
}

/**
 * Hears which organizations have new deliveries. It notifies itself from time to time; if it does not hear that, it
 * listens on a new connection. The reader's scans find the deliveries of missed notifications.
 */
export class Listener {
  readonly #parts: ListenerParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #heard = "";

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const connection = connect({
        url: this.#parts.url,
        limits: this.#parts.limits,
        poolSize: 1,
        prepare: false,
        name: "findersfee listener",
      });
      try {
        await connection.listen(DELIVERIES_CHANNEL, (payload) => this.#hear(payload));
        this.#parts.onMissed();
        await this.#whileHeard();
        if (!signal.aborted)
          this.#parts.log.debug("notifications of deliveries are not heard; scans find them");
      } catch (error) {
        if (!signal.aborted) this.#parts.log.warn({ err: error }, "no notifications of deliveries are heard");
      }
      await connection.end({ timeout: 1 }).catch(() => {});
      await this.#pause();
    }
  }

  async #whileHeard(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const ping = `${PING}${randomUUID()}`;
      await notifyDeliveries(this.#parts.database, [ping]);
      await this.#pause();
      if (this.#heard !== ping) return;
    }
  }

  async #pause(): Promise<void> {
    await delay(TRY_MILLISECONDS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  #hear(payload: string): void {
    if (payload.startsWith(PING)) this.#heard = payload;
    else this.#parts.onOrganizations(payload.split(","));
  }
}
