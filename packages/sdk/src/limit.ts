import type { Signal } from "./environment.ts";
import type { Failure } from "./errors.ts";

/** The failure of what its caller's signal has ended. */
export function abortion(signal: Signal | undefined): Failure {
  return { code: "aborted", message: "The call was aborted by its signal.", cause: signal?.reason };
}

/**
 * What ends a call before its answer: its caller's signal, or its time. A call waits for one thing at a
 * time, so one place for who waits is enough; promises raced against a signal would be kept by it.
 */
export class Limit {
  /** Why the call is over; null while it is not. */
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
   * Waits until `start` has called what it is given, or until the limit, in which case what `start` returned
   * is called to give up.
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

  /** Must be called when the call is over: the timer and the signal hold on to it until then. */
  release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #expire = (): void => {
    const message = `There was no answer within ${this.#milliseconds} ms. Try again, or raise timeoutMilliseconds.`;
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
