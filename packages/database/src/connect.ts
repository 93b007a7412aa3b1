import postgres from "postgres";
import { textArray } from "./text-array.ts";

/** The connection pool. Amounts (`bigint` columns) are read and written as JavaScript `bigint`. */
export type Database = postgres.Sql<Types>;
/** A connection inside a transaction. */
export type Transaction = postgres.TransactionSql<Types>;
/** What a statement function runs on: alone in the pool, or as part of a transaction. */
export type Connection = postgres.ISql<Types>;

interface Types extends Record<string, unknown> {
  bigint: bigint;
  textArray: string[];
}

export interface ConnectOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Connections at most. */
  poolSize: number;
  /** False behind a PgBouncer (before 1.21) in transaction mode, which cannot keep prepared statements. */
  prepare: boolean;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** How long statements may take (`readTimeLimits`); null: as long as they take. */
  limits?: TimeLimits | null;
  /** Connections that are unused for so long are closed; 0: none is. */
  idle_seconds?: number;
  /** Called for each statement when it is sent, and again when postgres.js sends it again. */
  onSend?: () => void;
}

/** Limits of a pool's statements, in seconds. */
export interface TimeLimits {
  statement_seconds: number;
  /** Of statements that may take longer, such as those of payout runs. */
  long_statement_seconds: number;
  /** Sent to the server when a connection is made; empty behind a pooler that refuses them. */
  session: SessionLimits;
}

/** Settings of Postgres, in milliseconds. One that is left out keeps the value of the role or database. */
export interface SessionLimits {
  statement_timeout?: number;
  idle_in_transaction_session_timeout?: number;
}

/**
 * A statement that has no answer so long after its limit is canceled by us: the server did not do it, since it has no
 * limit, or is gone. One that is not answered 3 s after that either loses its connection (`QUERY_TIMEOUT`).
 */
const CANCEL_SECONDS = 2;

/** Between two attempts of one connection of the pool. */
const RECONNECT_SECONDS = 0.05;

/**
 * Else postgres.js sends statements behind one that still runs on the same connection, and they wait for
 * whatever lock that one waits for. (An option that its types do not know.)
 */
const ONE_AT_A_TIME = { max_pipeline: 0 };

/** Opens the pool; connections are made when they are first needed. */
export function connect(options: ConnectOptions): Database {
  const { limits = null } = options;
  const database = postgres(options.url, {
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: 5,
    idle_timeout: options.idle_seconds ?? 0,
    // By default postgres.js waits longer after each failure, up to 20 s, and queries wait with it: requests
    // would hang while the database is away, and for as long again when it is back.
    backoff: () => RECONNECT_SECONDS,
    types: { bigint: postgres.BigInt, textArray },
    // On every new connection postgres.js would ask for all array types, and does not catch the rejection of
    // that query: a connection lost then would end the process.
    fetch_types: false,
    connection: { application_name: options.name, ...limits?.session },
    debug: options.onSend ?? false,
    ...ONE_AT_A_TIME,
    // Unknown to its types, too: it comes with our patch.
    ...{ query_timeout: limits && limits.statement_seconds + CANCEL_SECONDS },
    onnotice: () => {},
  });
  openedWith.set(database.options, options);
  return database;
}

/**
 * A statement on a connection that has died silently waits for the whole limit, so those of long work are not kept. One
 * that was sent before is found dead by TCP keepalive, after 70 s.
 */
const LONG_WORK_IDLE_SECONDS = 1;

const openedWith = new WeakMap<object, ConnectOptions>();

/**
 * Opens a small pool beside another one for work with long statements. Without time limits there is no difference, and
 * it is the other pool itself.
 */
export function connectForLongWork(
  database: Database,
  poolSize: number,
): { database: Database; end: () => Promise<void> } {
  const options = openedWith.get(database.options);
  if (!options?.limits) return { database, end: async () => {} };
  const { long_statement_seconds, session } = options.limits;
  const has_timeout = session.statement_timeout !== undefined;
  const long = connect({
    ...options,
    poolSize,
    idle_seconds: LONG_WORK_IDLE_SECONDS,
    limits: {
      ...options.limits,
      statement_seconds: long_statement_seconds,
      session: { ...session, ...(has_timeout ? { statement_timeout: long_statement_seconds * 1000 } : {}) },
    },
  });
  return { database: long, end: () => long.end({ timeout: 5 }) };
}

/** Runs `work` in one transaction: all of it is committed, or nothing. */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin(work)) as Result;
}
