/*
 * Imported before all other modules of a frame. Some browsers refuse storage to frames of other sites, and an
 * affiliate's actions in an organization's product should leave nothing in it. So storage lasts as long as
 * the frame.
 */

/** The part of `Storage` that the portal uses. */
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
