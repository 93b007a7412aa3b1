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

type Make = (...args: never[]) => unknown;

/** The pool, or a connection inside a transaction, and the functions of it that make statements. */
type Maker = Make & { unsafe: Make; begin?: Make; savepoint?: Make };

/** Whose statement is being made; the driver reports each one before the call that made it returns. */
let making: Interest | null = null;

/** Somebody who waits for the answers of statements, such as a request's client. */
export class Interest {
  #has_ended = false;
  readonly #running = new Set<() => void>();

  /**
   * The same database, whose statements are canceled when the interest ends, also those inside of its transactions. For reads only.
   * (With `AsyncLocalStorage`, Node 20 runs code for each promise of the process from its first use on, also for requests without
   * an interest.)
   */
  over<Sql extends object>(sql: Sql): Sql {
    return this.#over(sql as Sql & Maker) as Sql & Maker;
  }

  #over(sql: Maker): Maker {
    const noting =
      (make: Make): Make =>
      (...args) => {
        const former = making;
        making = this;
        try {
          return make(...args);
        } finally {
          making = former;
        }
      };
    const beginning =
      (begin: Make): Make =>
      (...args: unknown[]) =>
        noting(begin)(...(args.map((arg) => this.#within(arg)) as never[]));
    const { unsafe, begin, savepoint } = sql;
    return Object.setPrototypeOf(
      Object.assign(noting(sql), {
        unsafe: noting(unsafe),
        ...(begin === undefined ? {} : { begin: beginning(begin) }),
        ...(savepoint === undefined ? {} : { savepoint: beginning(savepoint) }),
      }),
      sql,
    );
  }

  /** The work of a transaction gets a connection of the interest; other arguments are options. */
  #within(arg: unknown): unknown {
    return typeof arg === "function" ? (sql: Maker) => arg(this.#over(sql)) : arg;
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

/** Has the end of the caller's interest cancel a query that was just made. */
export function followInterest(query: DriverQuery): void {
  const interest = making;
  if (interest === null || isEnd(query)) return;
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
