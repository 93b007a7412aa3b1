import { AsyncLocalStorage } from "node:async_hooks";

/** A query of postgres.js, with the properties that its patch adds. */
export interface DriverQuery {
  strings: readonly string[];
  /** Parameters, and parts of the text: queries that are never sent by themselves. */
  args: readonly unknown[];
  /** Its text, once it was sent. */
  string?: string;
  handler: (query: DriverQuery) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  cancel(): unknown;
  /** The options of the statement that begins a transaction, with a function in them. */
  options?: { onexecute?: unknown };
  /** Called when the statement is sent. */
  onsend?: () => void;
}

/** A statement that runs this long is canceled when nobody waits for it any more; shorter ones end by themselves. */
const CANCEL_MILLISECONDS = 500;

const scope = new AsyncLocalStorage<Interest | null>();

/** Somebody who waits for the answers of statements, such as a request's client. */
export class Interest {
  #has_ended = false;
  readonly #running = new Set<() => void>();

  /** Runs `work`; the statements that it makes, at any depth, are canceled when the interest ends. For reads only. */
  run<Result>(work: () => Result): Result {
    return scope.run(this, work);
  }

  /** Nobody waits any more. */
  end(): void {
    this.#has_ended = true;
    for (const cancel of this.#running) cancel();
  }

  get has_ended(): boolean {
    return this.#has_ended;
  }

  /** Calls `cancel` once the interest has ended, unless the returned function is called before. */
  whenEnded(cancel: () => void): () => void {
    this.#running.add(cancel);
    if (this.#has_ended) cancel();
    return () => void this.#running.delete(cancel);
  }
}

/** Whether somebody still waits for the caller's statements. */
export function isAwaited(): boolean {
  return scope.getStore()?.has_ended !== true;
}

/** Runs `work` with statements that others wait for, too, such as those of a cache. */
export function withoutInterest<Result>(work: () => Result): Result {
  return scope.getStore() == null ? work() : scope.run(null, work);
}

/** Has the end of the caller's interest cancel a query that was just made. */
export function followInterest(query: DriverQuery): void {
  const interest = scope.getStore();
  if (interest == null || isEnd(query)) return;
  const { handler } = query;
  query.handler = (run) => {
    const { onsend, resolve, reject } = run;
    let timer: NodeJS.Timeout | null = null;
    let forget = () => {};
    run.onsend = () => {
      onsend?.();
      const sent = performance.now();
      forget();
      forget = interest.whenEnded(() => {
        const left = sent + CANCEL_MILLISECONDS - performance.now();
        timer ??= setTimeout(() => void run.cancel(), Math.max(0, left)).unref();
      });
    };
    const end = () => {
      forget();
      if (timer !== null) clearTimeout(timer);
    };
    run.resolve = (value) => {
      end();
      resolve(value);
    };
    run.reject = (error) => {
      end();
      reject(error);
    };
    return handler(run);
  };
}

/** Whether it ends a transaction, which must go through. */
export function isEnd({ strings }: Pick<DriverQuery, "strings">): boolean {
  return /^\s*(commit|rollback)/i.test(strings[0] ?? "");
}
