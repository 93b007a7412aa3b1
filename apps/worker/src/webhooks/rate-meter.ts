/** Measures a rate per second. */
export class RateMeter {
  #second = 0;
  #count = 0;
  #count_before = 0;

  count(now: number): void {
    this.#advance(now);
    this.#count += 1;
  }

  /** Returns the count of this second or of the previous one, whichever is higher. */
  max(now: number): number {
    this.#advance(now);
    return Math.max(this.#count, this.#count_before);
  }

  #advance(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#count_before = second === this.#second + 1 ? this.#count : 0;
    this.#count = 0;
    this.#second = second;
  }
}
