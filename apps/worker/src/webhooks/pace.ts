const ACTIVE_MILLISECONDS = 500;
/** Between two questions to the database while events come in, and while none do. */
const ACTIVE_PAUSE_MILLISECONDS = 4;
const IDLE_PAUSE_MILLISECONDS = 1_000;
const ERROR_PAUSE_MILLISECONDS = 500;
const LINES_EVERY_MILLISECONDS = 250;

/**
 * When to ask the database again: at once while there is plenty, every few milliseconds while something
 * comes in, and else once a second or when woken.
 */
export class Pace {
  readonly #active_pause_milliseconds: number;
  #active_until = 0;
  #lines_at = 0;
  #woken = false;
  #timer: NodeJS.Timeout | null = null;
  #resume: (() => void) | null = null;

  constructor({ active_pause_milliseconds = ACTIVE_PAUSE_MILLISECONDS } = {}) {
    this.#active_pause_milliseconds = active_pause_milliseconds;
  }

  wake(): void {
    this.#woken = true;
    this.#go();
  }

  /** Whether it is time to look at the lines; then it is not for a while. */
  linesAreDue(): boolean {
    const now = performance.now();
    if (now < this.#lines_at) return false;
    this.#lines_at = now + LINES_EVERY_MILLISECONDS;
    return true;
  }

  async pause({ claimed, full }: { claimed: number; full: boolean }): Promise<void> {
    const now = performance.now();
    if (claimed > 0 || this.#woken) this.#active_until = now + ACTIVE_MILLISECONDS;
    if (this.#woken || full) {
      this.#woken = false;
      return await this.#wait(0);
    }
    await this.#wait(now < this.#active_until ? this.#active_pause_milliseconds : IDLE_PAUSE_MILLISECONDS);
  }

  async pauseAfterError(): Promise<void> {
    await this.#wait(ERROR_PAUSE_MILLISECONDS);
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#timer = setTimeout(() => this.#go(), milliseconds);
    });
  }

  #go(): void {
    const resume = this.#resume;
    if (resume === null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#resume = null;
    this.#timer = null;
    resume();
  }
}
