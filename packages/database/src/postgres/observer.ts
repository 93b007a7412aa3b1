import { type DriverQuery, followInterest } from "./interest.ts";

/** The connections of a pool at a moment. */
export interface PoolUse {
  /** The maximum. */
  size: number;
  idle: number;
  /** Running a statement, or inside a transaction. */
  active: number;
  connecting: number;
  /** Statements that wait for a connection. */
  waiting: number;
}

const OPERATIONS = ["select", "with", "insert", "update", "delete", "begin", "commit", "rollback"] as const;

/** The first word of a statement: statements have no names, and few labels are wanted. */
export type Operation = (typeof OPERATIONS)[number] | "other";

/** How a statement ended. */
export interface EndedStatement {
  operation: Operation;
  /** With `$1` for the first parameter; without the values of parameters. */
  text: string;
  /** From the request for a connection until the statement was sent; all of the time if it never was. */
  waited_milliseconds: number;
  /** From then until its answer. */
  duration_milliseconds: number;
  /** Null: it succeeded. */
  error: unknown;
}

/** Sees a pool's work, to measure it. Its methods must not throw. */
export interface PoolObserver {
  /** A pool was opened, under the name of its role. */
  opened(pool: string, use: () => PoolUse): void;
  /** A statement was made, in the context of its caller; the result is called when it ended. It may never run. */
  made(pool: string): (ended: EndedStatement) => void;
}

/** Wraps a query of a pool that was just made, and may hold or fail it. */
export type QueryGuard = (query: DriverQuery) => void;

const of_all_pools: PoolObserver[] = [];

/** Has `observer` see all pools of this process from now on. */
export function observeAllPools(observer: PoolObserver): void {
  of_all_pools.push(observer);
}

/**
 * Returns the function that the driver calls with each new query. Guards and the caller's interest can cancel
 * the query, and observers see it.
 */
export function seenQueries(seen: {
  pool: string;
  observers: readonly PoolObserver[];
  guards: readonly QueryGuard[];
}): (query: DriverQuery) => void {
  return (query) => {
    for (const guard of seen.guards) guard(query);
    followInterest(query);
    observeQuery(query, seen);
  };
}

function observeQuery(
  query: DriverQuery,
  { pool, observers }: { pool: string; observers: readonly PoolObserver[] },
): void {
  if (observers.length === 0 && of_all_pools.length === 0) return;
  const ends = [...observers, ...of_all_pools].map((observer) => observer.made(pool));
  const { handler } = query;
  query.handler = (run) => {
    const { resolve, reject } = run;
    const started = performance.now();
    let sent: number | null = null;
    const { onsend } = run;
    run.onsend = () => {
      sent ??= performance.now();
      onsend?.();
    };
    const end = (error: unknown) => {
      const ended = performance.now();
      const statement = {
        operation: operationOf(run.strings[0] ?? ""),
        // The driver has put it together when it sent the statement.
        text: run.string ?? run.strings[0] ?? "",
        waited_milliseconds: (sent ?? ended) - started,
        duration_milliseconds: sent === null ? 0 : ended - sent,
        error,
      };
      for (const onEnd of ends) onEnd(statement);
    };
    run.resolve = (value) => {
      resolve(value);
      end(null);
    };
    run.reject = (error) => {
      reject(error);
      end(error);
    };
    return handler(run);
  };
}

function operationOf(text: string): Operation {
  const word = /^\s*([a-z]+)/i.exec(text.slice(0, 100))?.[1]?.toLowerCase() ?? "";
  return OPERATIONS.find((operation) => operation === word) ?? "other";
}

/** The connections of a pool now; the patch of postgres.js counts them. */
export function poolUse(database: object): PoolUse {
  const { pool, options } = database as {
    pool: () => Omit<PoolUse, "size">;
    options: { max: number };
  };
  return { size: options.max, ...pool() };
}
