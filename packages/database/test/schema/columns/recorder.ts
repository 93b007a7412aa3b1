import type { Connection, Database } from "../../../src/postgres/connect.ts";
import type { Reader } from "../../../src/readers.ts";
import { Samples } from "./samples.ts";
import type { Sources, TypedStatement } from "./sources.ts";

/** A column of a result, as Postgres describes it. */
export interface Column {
  name: string;
  /** The oid of its type. */
  type: number;
  /** The table and the number of the column that it shows; 0: an expression. */
  table: number;
  number: number;
}

export interface Prepared {
  /** Null: a statement without a row type. */
  typed: TypedStatement | null;
  columns: Column[];
}

/** From this round on a statement returns no rows, so that loops end. */
const LAST_ROUND = 3;

/** A query of postgres.js, which it sends when somebody waits for it. */
interface Query extends Promise<unknown> {
  describe(): Promise<{ string: string; columns?: Column[] | null }>;
}

/**
 * Calls statement functions on a connection that prepares every statement without running it: Postgres checks its text
 * and describes its columns, and the function gets a sample row of the statement's type.
 */
export class Recorder {
  readonly prepared: Prepared[] = [];
  /** Statements that Postgres refused: the exported function, and why. */
  readonly refused: string[] = [];
  readonly #database: Database;
  readonly #sources: Sources;
  readonly #connection: Connection;
  readonly #samples: Samples;
  readonly #rounds = new Map<string, number>();
  #calling = "";

  constructor(database: Database, sources: Sources, full: boolean) {
    this.#database = database;
    this.#sources = sources;
    this.#connection = this.#connect();
    this.#samples = new Samples(sources, this.#connection, full);
  }

  /** Calls every exported function of a file that begins with a connection. */
  async callAll(file: string): Promise<void> {
    const values: Record<string, unknown> = await import(this.#sources.pathOf(file));
    for (const { name, type } of this.#sources.exportsOf(file)) {
      const parameters = this.#samples.parametersOf(type);
      if (parameters !== null) await this.#call(`${file} ${name}`, values[name], parameters);
    }
  }

  /** The columns that `find` of a reader reads. */
  async columnsOf(reader: Reader<unknown>): Promise<Column[]> {
    await this.#call("find", reader.find, [this.#connection, this.#samples.id, this.#samples.id]);
    return this.prepared.at(-1)?.columns ?? [];
  }

  async #call(name: string, call: unknown, parameters: unknown[]): Promise<void> {
    if (typeof call !== "function") return;
    this.#calling = name;
    try {
      await call(...parameters);
    } catch {
      // Samples have the right types, but need not make sense. A statement that an error prevents is not reached.
    }
  }

  #connect(): Connection {
    const connection: Connection = new Proxy(this.#database, {
      apply: (target, self, parameters) => {
        const result = Reflect.apply(target, self, parameters);
        return "raw" in parameters[0] ? this.#prepareOnly(result) : result;
      },
      get: (target, name) => {
        if (name === "unsafe")
          return (...p: [string]) => this.#prepareOnly(target.unsafe(...p) as unknown as Query);
        if (name === "begin") return (work: (sql: Connection) => unknown) => work(connection);
        return Reflect.get(target, name);
      },
    });
    return connection;
  }

  /** Fragments are queries, too, which nobody waits for. */
  #prepareOnly(query: Query): Query {
    const typed = this.#sources.statementOf(new Error().stack ?? "");
    const calling = this.#calling;
    const send = query.then.bind(query);
    const prepare = async () => {
      query.describe();
      const { string, columns } = (await new Promise(send).catch((error: Error) => {
        this.refused.push(`${calling}: ${error.message}`);
        throw error;
      })) as Awaited<ReturnType<Query["describe"]>>;
      this.prepared.push({ typed, columns: columns ?? [] });
      return this.#answer(typed, string);
    };
    // biome-ignore lint/suspicious/noThenProperty: waiting for a query sends it, and this one must not be run.
    return Object.defineProperty(query, "then", {
      value: (...callbacks: [() => unknown]) => prepare().then(...callbacks),
    });
  }

  #answer(typed: TypedStatement | null, text: string): unknown[] {
    const round = (this.#rounds.get(text) ?? 0) + 1;
    this.#rounds.set(text, round);
    const rows = typed === null || round >= LAST_ROUND ? [] : [this.#samples.of(typed.row)];
    return Object.assign(rows, { count: rows.length });
  }
}
