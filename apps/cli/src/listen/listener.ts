import { setTimeout as delay } from "node:timers/promises";
import { printNotice } from "../print.ts";
import { type Feed, type FeedEvent, type FeedPage, ServiceAwayError, UnknownEventError } from "./feed.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Position, PositionFile } from "./position.ts";
import type { Printer } from "./printer.ts";
import type { Since } from "./since.ts";

export interface ListenerParts {
  feed: Feed;
  position_file: PositionFile;
  /** Null: events are only printed. */
  forwarder: Forwarder | null;
  printer: Printer;
  /** Null: all. */
  types: readonly string[] | null;
  signal: AbortSignal;
}

interface Beginning {
  position: Position;
  /** An event that is wanted itself before those behind the position. */
  event: FeedEvent | null;
  words: string;
}

const IDLE_MILLISECONDS = 1_000;
const LONGEST_WAIT_SECONDS = 15;

/** Follows the feed event by event, in its order, and keeps how far it is. */
export class Listener {
  readonly #parts: ListenerParts;
  #position: Position = {};

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Runs until the end is asked for, and then rejects with an AbortError, or until something fails for good. */
  async listen(since: Since | null): Promise<never> {
    const { position, event, words } = await this.#patiently(() => this.#begin(since));
    if (event === null) await this.#keep(position);
    printNotice(`Ready: ${words}. Ctrl-C ends it.`);
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
      if (position !== null) return { position, event: null, words: "events from where it stopped" };
    }
    if (since === null || "now" in since) {
      // By the feed itself: this machine's clock may be another than the service's.
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
      printNotice("The event where it stopped is kept no longer: going on with the oldest that is.");
      this.#position = {};
      return await this.#parts.feed.read({});
    }
  }

  /** Prints and forwards an event, and is done with it: whoever is killed before that gets it again. */
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

  /** Asks until the service is there, less and less often, and says so. */
  async #patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { signal } = this.#parts;
    let said: string | null = null;
    for (let failures = 0; ; failures++) {
      try {
        const answer = await ask();
        if (said !== null) printNotice("The service answers again.");
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceAwayError)) throw error;
        if (error.message !== said) printNotice(`${error.message} Trying again until it answers.`);
        said = error.message;
        await delay(Math.min(2 ** failures, LONGEST_WAIT_SECONDS) * 1000, null, { signal });
      }
    }
  }
}
