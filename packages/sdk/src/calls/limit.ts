import type { Signal } from "../environment.ts";
import type { Failure } from "../errors/errors.ts";

/** The failure of a call that its signal aborted. */
export function abortion(signal: Signal | undefined): Failure {
  return { code: "aborted", message: "The call was aborted by its signal.", cause: signal?.reason };
}

/**
 * Ends a call before its response: by the caller's signal or by timeout. A call waits for one thing at a
 * time, so a single slot for the waiting callback is enough; promises raced against a signal would be
 * retained by it.
 */
export class Limit {
  /** Why the call is over; null while it runs. */
  failure: Failure | null = null;
  readonly #deadline: number;
  readonly #milliseconds: number;
  readonly #signal: Signal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  #end: ((failure: Failure) => void) | null = null;

  constructor(milliseconds: number, signal: Signal | undefined) {
    this.#milliseconds = milliseconds;
    this.#deadline = performance.now() + milliseconds;
    this.#timer = setTimeout(this.#expire, milliseconds);
    this.#signal = signal;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort);
  }

  get remaining_milliseconds(): number {
    return this.#deadline - performance.now();
  }

  /**
   * Waits until `start` calls back, or until the limit; at the limit it calls the function that `start`
   * returned, to abort.
   */
  wait<Result>(
    start: (done: (result: Result) => void) => () => void,
  ): Promise<Result | { failure: Failure }> {
    return new Promise((resolve) => {
      if (this.failure !== null) {
        resolve({ failure: this.failure });
        return;
      }
      const giveUp = start((result) => {
        this.#end = null;
        resolve(result);
      });
      this.#end = (failure) => {
        giveUp();
        resolve({ failure });
      };
    });
  }

  /** Call this when the call is over: until then the timer and the signal hold a reference to it. */
  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #expire = (): void => {
    const message = `No response within ${this.#milliseconds} ms. Try again, or raise timeoutMilliseconds.`;
    this.#finish({ code: "timeout", message });
  };

  readonly #abort = (): void => {
    this.#finish(abortion(this.#signal));
  };

  #finish(failure: Failure): void {
    if (this.failure !== null) return;
    this.failure = failure;
    this.#end?.(failure);
    this.#end = null;
  }
}
