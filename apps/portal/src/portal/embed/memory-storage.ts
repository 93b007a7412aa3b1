/*
 * Imported before all other modules of a frame: some browsers refuse storage to frames of other sites, and what an affiliate does in
 * an organization's product should not stay in it. So storage lasts as long as the frame.
 */

/** What the portal uses of `Storage`. */
class MemoryStorage {
  readonly #values = new Map<string, string>();

  getItem(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.#values.set(name, value);
  }

  removeItem(name: string): void {
    this.#values.delete(name);
  }

  clear(): void {
    this.#values.clear();
  }
}

for (const name of ["localStorage", "sessionStorage"] as const) {
  Object.defineProperty(window, name, { value: new MemoryStorage(), configurable: true });
}
