import { setTimeout as delay } from "node:timers/promises";
import { printNotice } from "../../print.ts";
import {
  type Feed,
  type FeedEvent,
  type FeedPage,
  ServiceUnavailableError,
  UnknownEventError,
} from "./feed.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Position, PositionFile } from "./position.ts";
import type { Printer } from "./printer.ts";
import type { Since } from "./since.ts";

export interface ListenerDependencies {
  feed: Feed;
  position_file: PositionFile;
  /** Null: only prints events. */
  forwarder: Forwarder | null;
  printer: Printer;
  /** The event types to process; null: all. */
  types: readonly string[] | null;
  signal: AbortSignal;
}

interface Start {
  position: Position;
  /** An event to process before those after the position. */
  event: FeedEvent | null;
  description: string;
}

const IDLE_MILLISECONDS = 1_000;
const MAX_WAIT_SECONDS = 15;

/** Follows the feed event by event, in order, and stores its position. */
export class Listener {
  readonly #dependencies: ListenerDependencies;
  #position: Position = {};

  constructor(dependencies: ListenerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs until a permanent failure, or until aborted; then rejects with an AbortError. */
  async listen(since: Since | null): Promise<never> {
    const { position, event, description } = await this.#retry(() => this.#findStart(since));
    if (event === null) await this.#storePosition(position);
    printNotice(`Ready: ${description}. Press Ctrl-C to stop.`);
    if (event !== null) await this.#process(event);
    for (;;) {
      const { events, has_more } = await this.#retry(() => this.#read());
      for (const event of events) await this.#process(event);
      if (!has_more) await delay(IDLE_MILLISECONDS, null, { signal: this.#dependencies.signal });
    }
  }

  async #findStart(since: Since | null): Promise<Start> {
    const { feed, position_file } = this.#dependencies;
    if (since === null) {
      const position = await position_file.read();
      if (position !== null) return { position, event: null, description: "events since the last run" };
    }
    if (since === null || "now" in since) {
      // From the feed itself: this machine's clock may differ from the service's.
      return { position: await feed.end(), event: null, description: "events from now on" };
    }
    if ("time" in since) {
      const position = { created_after: since.time };
      return { position, event: null, description: `events since ${since.time}` };
    }
    const event = await feed.get(since.event_id);
    return { position: { after: event.id }, event, description: `events from ${event.id} on` };
  }

  async #read(): Promise<FeedPage> {
    try {
      return await this.#dependencies.feed.read(this.#position);
    } catch (error) {
      if (!(error instanceof UnknownEventError)) throw error;
      printNotice("The last event is no longer available: continuing with the oldest one.");
      this.#position = {};
      return await this.#dependencies.feed.read({});
    }
  }

  /**
   * Prints and forwards an event, then stores the position: after a crash before that, the event is processed
   * again.
   */
  async #process(event: FeedEvent): Promise<void> {
    const { types, printer, forwarder } = this.#dependencies;
    if (types === null || types.includes(event.type)) {
      printer.event(event);
      printer.done(event, (await forwarder?.forward(event, printer.retry)) ?? null);
    }
    await this.#storePosition({ after: event.id });
  }

  async #storePosition(position: Position): Promise<void> {
    await this.#dependencies.position_file.write(position);
    this.#position = position;
  }

  /** Retries with increasing delays until the service responds, and prints the reason. */
  async #retry<Result>(call: () => Promise<Result>): Promise<Result> {
    const { signal } = this.#dependencies;
    let last_message: string | null = null;
    for (let failures = 0; ; failures++) {
      try {
        const result = await call();
        if (last_message !== null) printNotice("The service is reachable again.");
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceUnavailableError)) throw error;
        if (error.message !== last_message) printNotice(`${error.message} Retrying until it responds.`);
        last_message = error.message;
        await delay(Math.min(2 ** failures, MAX_WAIT_SECONDS) * 1000, null, { signal });
      }
    }
  }
}
