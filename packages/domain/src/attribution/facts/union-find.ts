/** Names that mean the same, directly or by way of others. */
export class UnionFind {
  readonly #parents = new Map<string, string>();

  /** What stands for all names that mean the same as this one. */
  find(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      root = parent;
    }
    // The next search is shorter.
    for (let step = name; step !== root; ) {
      const parent = this.#parents.get(step) ?? root;
      this.#parents.set(step, root);
      step = parent;
    }
    return root;
  }

  /** Says that all of these mean the same. */
  unite([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    for (const other of others) {
      const root = this.find(first);
      const other_root = this.find(other);
      if (root !== other_root) this.#parents.set(other_root, root);
    }
  }
}
