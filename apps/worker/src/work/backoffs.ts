const FIRST_MILLISECONDS = 500;
const MAX_MILLISECONDS = 60_000;

/** Organizations that wait for their next turn, because a turn failed or asked for it. */
export class Backoffs {
  readonly #onOver: (organization_id: string) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Failed turns in a row. */
  readonly #failures = new Map<string, number>();

  /** `onOver` is called when an organization has waited. */
  constructor(onOver: (organization_id: string) => void) {
    this.#onOver = onOver;
  }

  isWaiting(organization_id: string): boolean {
    return this.#timers.has(organization_id);
  }

  wait(organization_id: string, milliseconds: number): void {
    this.end(organization_id);
    const timer = setTimeout(() => {
      this.#timers.delete(organization_id);
      this.#onOver(organization_id);
    }, milliseconds);
    this.#timers.set(organization_id, timer.unref());
  }

  /** Waits for longer after each failure in a row. */
  failed(organization_id: string): void {
    const failures = this.#failures.get(organization_id) ?? 0;
    this.#failures.set(organization_id, failures + 1);
    this.wait(organization_id, Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** failures));
  }

  succeeded(organization_id: string): void {
    this.#failures.delete(organization_id);
  }

  /** The organization waits no longer. */
  end(organization_id: string): void {
    clearTimeout(this.#timers.get(organization_id));
    this.#timers.delete(organization_id);
  }

  endAll(): void {
    for (const organization_id of [...this.#timers.keys()]) this.end(organization_id);
  }
}
