import type { Database, Transaction } from "../src/connect.ts";

/** When a call fails: before anything of it happens, or after all of it did and only its answer is lost. */
export type Moment = "before" | "after";

/**
 * A database of which one call fails, counted from 1: a statement, or the beginning or the commit of a transaction.
 * All others reach the real one.
 */
export class FaultyDatabase {
  /** Calls so far. */
  calls = 0;
  readonly database: Database;
  readonly #fails_at: number;
  readonly #moment: Moment;

  constructor(real: Database, { fails_at, moment }: { fails_at: number; moment: Moment }) {
    this.#fails_at = fails_at;
    this.#moment = moment;
    this.database = this.#wrap(real);
  }

  /** Whether the call that fails was made. */
  get has_failed(): boolean {
    return this.calls >= this.#fails_at;
  }

  async #call<Result>(work: () => PromiseLike<Result>): Promise<Result> {
    this.calls += 1;
    const fails = this.calls === this.#fails_at;
    if (fails && this.#moment === "before") throw lost();
    const result = await work();
    if (fails) throw lost();
    return result;
  }

  #wrap<Sql extends Database | Transaction>(real: Sql): Sql {
    return new Proxy(real, {
      apply: (target, _, parts) => this.#query(Reflect.apply(target as never, undefined, parts)),
      get: (target, name) => {
        if (name === "unsafe") {
          return (...parts: Parameters<Database["unsafe"]>) => this.#query(target.unsafe(...parts));
        }
        if (name === "begin") {
          const { begin } = target as Database;
          return (work: (sql: Transaction) => Promise<unknown>) =>
            this.#call(() => begin((sql) => work(this.#wrap(sql))));
        }
        return Reflect.get(target, name);
      },
    });
  }

  /** A query is sent when somebody waits for it; until then it may be a part of another. */
  #query<Query>(query: Query): Query {
    if (!(query instanceof Promise)) return query;
    return new Proxy(query, {
      get: (target, name) => {
        if (name === "then") {
          return (...handlers: Parameters<Promise<unknown>["then"]>) =>
            this.#call(() => target).then(...handlers);
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
  }
}

/** As postgres.js reports a connection that broke. */
function lost(): Error {
  return Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
}
