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
