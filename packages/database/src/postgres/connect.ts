import postgres from "postgres";
import { type HistoryGuard, holdQuery } from "./guard.ts";
import { severalHosts, urlAt } from "./hosts.ts";
import { type PoolObserver, poolUse, type QueryGuard, seenQueries } from "./observer.ts";
import { textArray } from "./statement.ts";
import { noteCommitted, onCommitted } from "./written.ts";

/** The connection pool. Amounts (`bigint` columns) are read and written as JavaScript `bigint`. */
export type Database = postgres.Sql<Types>;
/** A connection inside a transaction. */
export type Transaction = postgres.TransactionSql<Types>;
/** The connection of a statement function: the pool, or a transaction. */
export type Connection = postgres.ISql<Types>;

interface Types extends Record<string, unknown> {
  bigint: bigint;
  textArray: string[];
}

export interface ConnectOptions {
  /** `postgres://user:password@host:port/database`, or with several hosts (`severalHosts`). */
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** False behind a PgBouncer (before 1.21) in transaction mode, which does not support prepared statements. */
  prepare: boolean;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** Time limits of statements (`readTimeLimits`); null: no limits. */
  limits?: TimeLimits | null;
  /** Idle connections are closed after this time; 0: never. */
  idle_seconds?: number;
  /** Called whenever a statement is sent, including when postgres.js sends it again. */
  onSend?: () => void;
}

/** Limits of a pool's statements, in seconds. */
export interface TimeLimits {
  statement_seconds: number;
  /** For statements that may take longer, such as those of payout runs. */
  long_statement_seconds: number;
  /** Sent to the server when a connection is opened; empty behind a pooler that rejects them. */
  session: SessionLimits;
}

/** Settings of Postgres, in milliseconds. An omitted one has the value of the role or database. */
export interface SessionLimits {
  statement_timeout?: number;
  idle_in_transaction_session_timeout?: number;
}

/**
 * A statement without an answer is canceled by the client this long after its limit: the server has no limit, or is
 * gone. If there is still no answer 3 s later, the connection is closed (`QUERY_TIMEOUT`).
 */
const CANCEL_SECONDS = 2;

/** The delay between two attempts to open a connection. */
const RECONNECT_SECONDS = 0.05;

/**
 * Disables pipelining. By default postgres.js sends further statements on a connection that is still running one, and
 * they wait for every lock that the first one waits for. (The option is missing in its types.)
 */
const ONE_AT_A_TIME = { max_pipeline: 0 };

/** Opens the pool; connections are opened when they are first needed. */
export function connect(options: ConnectOptions): Database {
  const { limits = null, name: pool } = options;
  const observers: PoolObserver[] = [];
  const guards: QueryGuard[] = [];
  const opening: Opening = { options, observers, guards, history: null };
  const database = postgres(singleUrl(options.url), {
    ...hostOptions(options.url),
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: 5,
    idle_timeout: options.idle_seconds ?? 0,
    // By default postgres.js increases the delay after each failure, up to 20 s, and queries wait for it: requests
    // would hang during an outage of the database, and for as long after it.
    backoff: () => RECONNECT_SECONDS,
    types: { bigint: postgres.BigInt, textArray },
    // By default postgres.js queries all array types on every new connection, and does not catch the rejection of
    // that query: a connection lost at that moment would end the process.
    fetch_types: false,
    connection: { application_name: options.name, ...limits?.session },
    debug: options.onSend ?? false,
    ...ONE_AT_A_TIME,
    // Missing in its types, too: our patch adds them.
    ...{
      query_timeout: limits && limits.statement_seconds + CANCEL_SECONDS,
      onquery: seenQueries({ pool, observers, guards }),
    },
    onclose: () => opening.history?.closed(),
    onnotice: () => {},
  });
  openedWith.set(database.options, opening);
  return database;
}

/** The driver gets several hosts apart from the rest of the URL. */
function hostOptions(url: string): object {
  const several = severalHosts(url);
  if (several === null) return {};
  const { hosts, target_session_attrs } = several;
  return { host: hosts.map(({ host }) => host), port: hosts.map(({ port }) => port), target_session_attrs };
}

function singleUrl(url: string): string {
  const [first] = severalHosts(url)?.hosts ?? [];
  return first === undefined ? url : urlAt(url, first);
}

/**
 * A statement on a connection that has died silently waits for the whole limit, so idle connections for long work are
 * closed soon. TCP keepalive detects a connection that dies during a statement after 70 s.
 */
const LONG_WORK_IDLE_SECONDS = 1;

interface Opening {
  options: ConnectOptions;
  observers: PoolObserver[];
  guards: QueryGuard[];
  history: HistoryGuard | null;
}

const openedWith = new WeakMap<object, Opening>();

function openingOf(database: Database): Opening {
  const opening = openedWith.get(database.options);
  if (opening === undefined) throw new Error("the pool was not opened by `connect`");
  return opening;
}

/**
 * Has `observer` see the pool's work from now on, and that of pools for long work that are opened from it
 * later.
 */
export function observe(database: Database, observer: PoolObserver): void {
  const { options, observers } = openingOf(database);
  observers.push(observer);
  observer.opened(options.name, () => poolUse(database));
}

/**
 * Has `guard` see each query of the pool that is made from now on, until the returned function is called. A guard decides before those
 * that are added later, and observers see the time that all of them take.
 */
export function guardQueries(database: Database, guard: QueryGuard): () => void {
  const { guards } = openingOf(database);
  // Who wraps a query first is asked last.
  guards.unshift(guard);
  return () => {
    const index = guards.indexOf(guard);
    if (index !== -1) guards.splice(index, 1);
  };
}

/** Has `guard` hold the pool's statements from now on, and those of pools for long work that are opened from it later. */
export function guardHistory(database: Database, guard: HistoryGuard): void {
  openingOf(database).history = guard;
  guardQueries(database, (query) => holdQuery(query, guard));
  onCommitted(database, (events) => guard.committed(events));
}

/**
 * Opens a small pool for work with long statements. Without time limits the two pools would not differ, and the other
 * pool itself is returned.
 */
export function connectForLongWork(
  database: Database,
  poolSize: number,
): { database: Database; end: () => Promise<void> } {
  const { options, observers, history } = openingOf(database);
  if (!options.limits) return { database, end: async () => {} };
  const { long_statement_seconds, session } = options.limits;
  const has_timeout = session.statement_timeout !== undefined;
  const long = connect({
    ...options,
    name: `${options.name} long`,
    poolSize,
    idle_seconds: LONG_WORK_IDLE_SECONDS,
    limits: {
      ...options.limits,
      statement_seconds: long_statement_seconds,
      session: { ...session, ...(has_timeout ? { statement_timeout: long_statement_seconds * 1000 } : {}) },
    },
  });
  for (const observer of observers) observe(long, observer);
  // It closes its connections whenever they are idle, which says nothing about the server.
  if (history !== null) guardHistory(long, { ...history, closed: () => {} });
  return { database: long, end: () => long.end({ timeout: 5 }) };
}

/** Opens a pool of one connection to the same database, by default without time limits of the client. Nothing guards it. */
export function connectAlone(
  database: Database,
  changes: Partial<Pick<ConnectOptions, "name" | "limits">> = {},
): Database {
  const { options } = openingOf(database);
  const alone = connect({ ...options, poolSize: 1, limits: null, ...changes });
  // With several hosts, it first tries the one that the pool found last.
  const [own, others] = [alone, database].map(
    (pool) => (pool.options as unknown as { shared: { hostIndex?: number } }).shared,
  );
  if (own !== undefined && others?.hostIndex !== undefined) own.hostIndex = others.hostIndex;
  return alone;
}

/** Runs `work` in one transaction. */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await committing(database, (noted) => database.begin(noted), work);
}

/** Runs `work`, and notes the events that it wrote once they are committed, or part of the outer transaction. */
async function committing<Result>(
  outer: Database | Transaction,
  begin: (work: (sql: Transaction) => Promise<Result>) => Promise<unknown>,
  work: (sql: Transaction) => Promise<Result>,
): Promise<Result> {
  let inner: Transaction | null = null;
  const result = await begin((sql) => {
    inner = sql;
    return work(sql);
  });
  if (inner !== null) noteCommitted(inner, outer);
  return result as Result;
}

/** The same, and all statements see the moment of the first one. A row that others have changed since cannot be locked. */
export async function repeatableRead<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await committing(
    database,
    (noted) => database.begin("isolation level repeatable read", noted),
    work,
  );
}

/** Runs reads that all see the same moment, and lock nothing. */
export async function snapshot<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin("isolation level repeatable read read only", read)) as Result;
}

/** Runs `work` within a transaction so that its error leaves the rest of the transaction as it was. */
export async function savepoint<Result>(
  sql: Transaction,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await committing(sql, (noted) => sql.savepoint(noted), work);
}
