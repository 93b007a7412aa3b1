/** Groups of equivalent names, directly or through others. */
export class UnionFind {
  readonly #parents = new Map<string, string>();

  /** The name that represents the group of this one. */
  find(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      root = parent;
    }
    // Path compression: the next search is shorter.
    for (let step = name; step !== root; ) {
      const parent = this.#parents.get(step) ?? root;
      this.#parents.set(step, root);
      step = parent;
    }
    return root;
  }

  /** Joins the groups of all these names. */
  unite([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    for (const other of others) {
      const root = this.find(first);
      const other_root = this.find(other);
      if (root !== other_root) this.#parents.set(other_root, root);
    }
  }
}

/** Items by a name that several may share, in insertion order. */
export class NameIndex<Item> {
  readonly #by_name = new Map<string, Set<Item>>();

  has(name: string): boolean {
    return this.#by_name.has(name);
  }

  find(name: string, isMeant: (item: Item) => boolean): Item | undefined {
    for (const item of this.#by_name.get(name) ?? []) if (isMeant(item)) return item;
    return undefined;
  }

  add(name: string, item: Item): void {
    const known = this.#by_name.get(name);
    if (known === undefined) this.#by_name.set(name, new Set([item]));
    else known.add(item);
  }

  delete(name: string, item: Item): void {
    const known = this.#by_name.get(name);
    known?.delete(item);
    if (known?.size === 0) this.#by_name.delete(name);
  }
}
