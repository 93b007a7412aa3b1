import { setTimeout as delay } from "node:timers/promises";
import { printNotice } from "../print.ts";
import { type Feed, type FeedEvent, type FeedPage, ServiceAwayError, UnknownEventError } from "./feed.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Position, PositionFile } from "./position.ts";
import type { Printer } from "./printer.ts";
import type { Since } from "./since.ts";

export interface ListenerDependencies {
  feed: Feed;
  position_file: PositionFile;
  /** Null to only print events. */
  forwarder: Forwarder | null;
  printer: Printer;
  /** Null for all. */
  types: readonly string[] | null;
  signal: AbortSignal;
}

interface Beginning {
  position: Position;
  /** An event to process before those after the position. */
  event: FeedEvent | null;
  words: string;
}

const IDLE_MILLISECONDS = 1_000;
const MAX_WAIT_SECONDS = 15;

/** Follows the feed event by event, in order, and stores its position. */
export class Listener {
  readonly #parts: ListenerDependencies;
  #position: Position = {};

  constructor(parts: ListenerDependencies) {
    this.#parts = parts;
  }

  /** Runs until aborted, and then rejects with an AbortError, or until a permanent failure. */
  async listen(since: Since | null): Promise<never> {
    const { position, event, words } = await this.#patiently(() => this.#begin(since));
    if (event === null) await this.#keep(position);
    printNotice(`Ready: ${words}. Press Ctrl-C to stop.`);
    if (event !== null) await this.#take(event);
    for (;;) {
      const { events, has_more } = await this.#patiently(() => this.#read());
      for (const event of events) await this.#take(event);
      if (!has_more) await delay(IDLE_MILLISECONDS, null, { signal: this.#parts.signal });
    }
  }

  async #begin(since: Since | null): Promise<Beginning> {
    const { feed, position_file } = this.#parts;
    if (since === null) {
      const position = await position_file.read();
      if (position !== null) return { position, event: null, words: "events since the last run" };
    }
    if (since === null || "now" in since) {
      // From the feed itself: this machine's clock may differ from the service's.
      return { position: await feed.end(), event: null, words: "events from now on" };
    }
    if ("time" in since) {
      const position = { created_after: since.time };
      return { position, event: null, words: `events since ${since.time}` };
    }
    const event = await feed.get(since.event_id);
    return { position: { after: event.id }, event, words: `events from ${event.id} on` };
  }

  async #read(): Promise<FeedPage> {
    try {
      return await this.#parts.feed.read(this.#position);
    } catch (error) {
      if (!(error instanceof UnknownEventError)) throw error;
      printNotice("The last event is no longer available: continuing with the oldest one.");
      this.#position = {};
      return await this.#parts.feed.read({});
    }
  }

  /**
   * Prints and forwards an event, then stores the position: after a crash before that, the event is processed
   * again.
   */
  async #take(event: FeedEvent): Promise<void> {
    const { types, printer, forwarder } = this.#parts;
    if (types === null || types.includes(event.type)) {
      printer.event(event);
      printer.done(event, (await forwarder?.forward(event, printer.retry)) ?? null);
    }
    await this.#keep({ after: event.id });
  }

  async #keep(position: Position): Promise<void> {
    await this.#parts.position_file.write(position);
    this.#position = position;
  }

  /** Retries with increasing delays until the service responds, and prints the reason. */
  async #patiently<ForwardResponse>(ask: () => Promise<ForwardResponse>): Promise<ForwardResponse> {
    const { signal } = this.#parts;
    let last_message: string | null = null;
    for (let failures = 0; ; failures++) {
      try {
        const answer = await ask();
        if (last_message !== null) printNotice("The service is reachable again.");
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceAwayError)) throw error;
        if (error.message !== last_message) printNotice(`${error.message} Retrying until it responds.`);
        last_message = error.message;
        await delay(Math.min(2 ** failures, MAX_WAIT_SECONDS) * 1000, null, { signal });
      }
    }
  }
}
