import { randomUUID } from "node:crypto";
import { connect, type Database, type TimeLimits } from "@findersfee/database/postgres/connect";
import { WORK_KINDS } from "@findersfee/database/work/due-work";
import { notifyWorkers, WORK_CHANNEL } from "@findersfee/database/work/shards";
import type { WorkTopic } from "@findersfee/domain/work/notify-workers";
import type { Logger } from "pino";
import { pause } from "../pause.ts";

/** How often the connection is tried out. */
const TRY_MILLISECONDS = 5_000;
/** The topic of notifications to itself. */
const PING = "ping";
const TOPICS: readonly WorkTopic[] = ["events", ...WORK_KINDS];

export interface ListenerDependencies {
  database: Database;
  /** Not through a pooler in transaction mode, which passes on no notifications. */
  url: string;
  /** The time limits of the statement that begins to listen. */
  limits: TimeLimits | null;
  log: Logger;
  onNotified: (topic: WorkTopic, organization_ids: string[]) => void;
  /** Notifications may have been missed. */
  onMissed: () => void;
}

/**
 * Receives notifications of organizations with new work. It notifies itself from time to time; if that does not arrive,
 * it listens on a new connection. Searches find the work of missed notifications.
 */
export class Listener {
  readonly #dependencies: ListenerDependencies;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #heard = "";

  constructor(dependencies: ListenerDependencies) {
    this.#dependencies = dependencies;
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
        url: this.#dependencies.url,
        limits: this.#dependencies.limits,
        poolSize: 1,
        prepare: false,
        name: "findersfee listener",
      });
      try {
        await connection.listen(WORK_CHANNEL, (payload) => this.#hear(payload));
        this.#dependencies.onMissed();
        await this.#whileHeard();
        if (!signal.aborted)
          this.#dependencies.log.debug("notifications of new work do not arrive; searches find it");
      } catch (error) {
        if (!signal.aborted)
          this.#dependencies.log.warn({ err: error }, "failed to listen for notifications of new work");
      }
      // biome-ignore lint/plugin/swallowed-failure: the connection may be broken; the next round opens a new one
      await connection.end({ timeout: 1 }).catch(() => {});
      await this.#pause();
    }
  }

  async #whileHeard(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const ping = randomUUID();
      await notifyWorkers(this.#dependencies.database, PING, [ping]);
      await this.#pause();
      if (this.#heard !== ping) return;
    }
  }

  async #pause(): Promise<void> {
    await pause(TRY_MILLISECONDS, this.#stopping.signal);
  }

  #hear(payload: string): void {
    const [topic, names = ""] = payload.split(":");
    if (topic === PING) this.#heard = names;
    const known = TOPICS.find((item) => item === topic);
    // Workers of another version may know further topics.
    if (known !== undefined) this.#dependencies.onNotified(known, names.split(","));
  }
}
