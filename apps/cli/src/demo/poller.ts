import { setTimeout as delay } from "node:timers/promises";
import { printNotice } from "../print.ts";

/** The result of a check: the value, or a description of the current state. */
export type PollResult<Value> = { found: Value } | { missing: string };

const FIRST_PAUSE_MILLISECONDS = 20;
const MAX_PAUSE_MILLISECONDS = 500;
const NOTICE_SECONDS = 2;

/** Waits for asynchronous results up to a limit, and prints progress. */
export class Poller {
  readonly #seconds: number;
  readonly #signal: AbortSignal;

  constructor(seconds: number, signal: AbortSignal) {
    this.#seconds = seconds;
    this.#signal = signal;
  }

  /**
   * Polls until the result is there.
   *
   * @throws Error with the last state when the time is over
   */
  async until<Value>(what: string, look: () => Promise<PollResult<Value>>): Promise<Value> {
    const started_at = performance.now();
    let noticed_seconds = 0;
    let pause = FIRST_PAUSE_MILLISECONDS;
    for (;;) {
      const sight = await look();
      if ("found" in sight) return sight.found;
      const seconds = Math.floor((performance.now() - started_at) / 1000);
      if (seconds >= this.#seconds) {
        throw new Error(`Timed out after ${this.#seconds} s waiting for ${what}: ${sight.missing}`);
      }
      if (seconds >= noticed_seconds + NOTICE_SECONDS) {
        noticed_seconds = seconds;
        printNotice(`       waiting for ${what}, ${seconds} s of ${this.#seconds}`);
      }
      await delay(pause, undefined, { signal: this.#signal });
      pause = Math.min(2 * pause, MAX_PAUSE_MILLISECONDS);
    }
  }
}
