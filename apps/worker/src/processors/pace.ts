const ACTIVE_MILLISECONDS = 500;
/** Between two questions to the database while messages come in: a batch costs little more than one message. */
const ACTIVE_PAUSE_MILLISECONDS = 20;
const IDLE_PAUSE_MILLISECONDS = 1_000;
const ERROR_PAUSE_MILLISECONDS = 500;

/**
 * When to ask the database again: at once while there is plenty, every few milliseconds while something
 * comes in, and else once a second or when woken.
 */
export class Pace {
  #active_until = 0;
  #woken = false;
  #timer: NodeJS.Timeout | null = null;
  #resume: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#go();
  }

  async pause({ claimed, full }: { claimed: number; full: boolean }): Promise<void> {
    const now = performance.now();
    if (claimed > 0 || this.#woken) this.#active_until = now + ACTIVE_MILLISECONDS;
    if (this.#woken || full) {
      this.#woken = false;
      return await this.#wait(0);
    }
    await this.#wait(now < this.#active_until ? ACTIVE_PAUSE_MILLISECONDS : IDLE_PAUSE_MILLISECONDS);
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
