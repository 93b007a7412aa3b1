/** A binary heap: removes the first item by `isBefore` in logarithmic time. */
export class PriorityQueue<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (a: Item, b: Item) => boolean;

  constructor(isBefore: (a: Item, b: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  add(item: Item): void {
    let index = this.#items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      if (!this.#swapUnordered(parent, index)) return;
      index = parent;
    }
  }

  /** Returns undefined if the queue is empty. */
  take(): Item | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return first;
    this.#items[0] = last;
    for (let index = 0; ; ) {
      const child = this.#firstChild(index);
      if (!this.#swapUnordered(index, child)) return first;
      index = child;
    }
  }

  #firstChild(index: number): number {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    return this.#precedes(right, left) ? right : left;
  }

  /** Swaps a parent and a child that belongs before it; returns whether it did. */
  #swapUnordered(parent: number, child: number): boolean {
    if (!this.#precedes(child, parent)) return false;
    const [a, b] = [this.#items[parent], this.#items[child]];
    if (a === undefined || b === undefined) return false;
    this.#items[parent] = b;
    this.#items[child] = a;
    return true;
  }

  #precedes(index: number, other: number): boolean {
    const [a, b] = [this.#items[index], this.#items[other]];
    return a !== undefined && b !== undefined && this.#isBefore(a, b);
  }
}
