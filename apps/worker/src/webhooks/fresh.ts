/** How long an attempt counts as fresh: between one and two of these. */
const PERIOD_MILLISECONDS = 10;

/**
 * Counts the attempts that were begun a moment ago and are not answered yet. Receivers that answer at once
 * are served faster by a few connections than by hundreds; only those that take their time need many.
 */
export class Fresh {
  #period = 0;
  #begun_now = 0;
  #begun_before = 0;

  count(now: number): number {
    this.#turn(now);
    return this.#begun_now + this.#begun_before;
  }

  /** Returns the period, which `end` wants. */
  begin(now: number): number {
    this.#turn(now);
    this.#begun_now += 1;
    return this.#period;
  }

  end(period: number): void {
    if (period === this.#period) this.#begun_now -= 1;
    else if (period === this.#period - 1) this.#begun_before -= 1;
  }

  #turn(now: number): void {
    const period = Math.floor(now / PERIOD_MILLISECONDS);
    if (period === this.#period) return;
    this.#begun_before = period === this.#period + 1 ? this.#begun_now : 0;
    this.#begun_now = 0;
    this.#period = period;
  }
}

/** When those that are fresh at `now` are not any more. */
export const FRESH_MILLISECONDS = 2 * PERIOD_MILLISECONDS;
