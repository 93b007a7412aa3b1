/** Searching takes a fiftieth of the time at most, unless it would become rarer than this. */
const REST_FACTOR = 50;
const MAX_REST_MILLISECONDS = 10_000;

/** Runs a search regularly, less often if it takes long, and soon when it is requested. One search at a time. */
export class PollTimer {
  readonly #search: () => Promise<void>;
  readonly #interval_milliseconds: number;
  #timer: NodeJS.Timeout | null = null;
  #due_at = Number.POSITIVE_INFINITY;
  #searching: Promise<void> | null = null;
  #is_stopped = true;

  /** `search` never rejects. */
  constructor(interval_milliseconds: number, search: () => Promise<void>) {
    this.#interval_milliseconds = interval_milliseconds;
    this.#search = search;
  }

  start(): void {
    this.#is_stopped = false;
    this.request(0);
  }

  /** Searches within `milliseconds`, even during a search, which may miss new work. */
  request(milliseconds: number): void {
    const due_at = performance.now() + milliseconds;
    if (this.#is_stopped || due_at >= this.#due_at) return;
    this.#due_at = due_at;
    if (this.#searching === null) this.#schedule();
  }

  /** Resolves when no search is under way. */
  async stop(): Promise<void> {
    this.#is_stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#searching;
  }

  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, this.#due_at - performance.now()));
  }

  #begin(): void {
    const started_at = performance.now();
    this.#due_at = Number.POSITIVE_INFINITY;
    this.#searching = this.#search().finally(() => {
      this.#searching = null;
      if (this.#is_stopped) return;
      const now = performance.now();
      const rest = Math.min(MAX_REST_MILLISECONDS, (now - started_at) * REST_FACTOR);
      this.#due_at = Math.min(this.#due_at, now + Math.max(rest, this.#interval_milliseconds));
      this.#schedule();
    });
  }
}
