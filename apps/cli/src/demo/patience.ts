import { setTimeout as delay } from "node:timers/promises";
import { printNotice } from "../print.ts";

/** What a look at something shows: that it is there, or what there is instead. */
export type Sight<Value> = { there: Value } | { missing: string };

const FIRST_PAUSE_MILLISECONDS = 20;
const LONGEST_PAUSE_MILLISECONDS = 500;
const NOTICE_SECONDS = 2;

/** Waits for what others do, up to a limit, and says so meanwhile. */
export class Patience {
  readonly #seconds: number;
  readonly #signal: AbortSignal;

  constructor(seconds: number, signal: AbortSignal) {
    this.#seconds = seconds;
    this.#signal = signal;
  }

  /**
   * Looks until something is there.
   *
   * @throws Error that says what was there instead, when the time is over
   */
  async until<Value>(what: string, look: () => Promise<Sight<Value>>): Promise<Value> {
    const started_at = performance.now();
    let noticed_seconds = 0;
    let pause = FIRST_PAUSE_MILLISECONDS;
    for (;;) {
      const sight = await look();
      if ("there" in sight) return sight.there;
      const seconds = Math.floor((performance.now() - started_at) / 1000);
      if (seconds >= this.#seconds) {
        throw new Error(`Waited ${this.#seconds} s for ${what}, in vain: ${sight.missing}`);
      }
      if (seconds >= noticed_seconds + NOTICE_SECONDS) {
        noticed_seconds = seconds;
        printNotice(`       waiting for ${what}, ${seconds} s of ${this.#seconds}`);
      }
      await delay(pause, undefined, { signal: this.#signal });
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS);
    }
  }
}
