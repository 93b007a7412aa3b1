/** An attempt counts as recent for one to two periods. */
const PERIOD_MILLISECONDS = 10;

/**
 * Counts attempts that started a moment ago and have no response yet. A few connections serve fast receivers better
 * than hundreds do; only slow receivers need many.
 */
export class RecentStarts {
  #period = 0;
  #starts = 0;
  #starts_before = 0;

  count(now: number): number {
    this.#advance(now);
    return this.#starts + this.#starts_before;
  }

  /** Returns the period of the start, for `finish`. */
  start(now: number): number {
    this.#advance(now);
    this.#starts += 1;
    return this.#period;
  }

  finish(period: number): void {
    if (period === this.#period) this.#starts -= 1;
    else if (period === this.#period - 1) this.#starts_before -= 1;
  }

  #advance(now: number): void {
    const period = Math.floor(now / PERIOD_MILLISECONDS);
    if (period === this.#period) return;
    this.#starts_before = period === this.#period + 1 ? this.#starts : 0;
    this.#starts = 0;
    this.#period = period;
  }
}

/** The time after which no attempt of now is recent. */
export const RECENT_MILLISECONDS = 2 * PERIOD_MILLISECONDS;
