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
