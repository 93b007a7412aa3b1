/** Counts the slots of each holder against a limit per holder. A holder without slots takes no memory. */
export class SlotCounts {
  readonly limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Takes slots; false if the holder would exceed the limit, in which case nothing changes. */
  take(holder: string, slots: number): boolean {
    const count = (this.#counts.get(holder) ?? 0) + slots;
    if (count > this.limit) return false;
    this.#counts.set(holder, count);
    return true;
  }

  release(holder: string, slots: number): void {
    const count = (this.#counts.get(holder) ?? 0) - slots;
    if (count > 0) this.#counts.set(holder, count);
    else this.#counts.delete(holder);
  }
}
