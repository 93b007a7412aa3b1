/** Counts what happens a second. */
export class Rate {
  #second = 0;
  #now = 0;
  #before = 0;

  count(now: number): void {
    this.#turn(now);
    this.#now += 1;
  }

  /** How often it happened in this second or the one before, whichever was busier. */
  most(now: number): number {
    this.#turn(now);
    return Math.max(this.#now, this.#before);
  }

  #turn(now: number): void {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#now : 0;
    this.#now = 0;
    this.#second = second;
  }
}
