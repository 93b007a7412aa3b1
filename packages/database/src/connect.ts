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
  /** Called for each statement when it is sent, and again when postgres.js sends it again. */
  onSend?: () => void;
}

/** Between two attempts of one connection of the pool. */
const RECONNECT_SECONDS = 0.05;

/**
 * Else postgres.js sends statements behind one that still runs on the same connection, and they wait for
 * whatever lock that one waits for. (An option that its types do not know.)
 */
const ONE_AT_A_TIME = { max_pipeline: 0 };

/** Opens the pool; connections are made when they are first needed. */
export function connect(options: ConnectOptions): Database {
  return postgres(options.url, {
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: 60 * 60,
    // By default postgres.js waits longer after each failure, up to 20 s, and queries wait with it: requests
    // would hang while the database is away, and for as long again when it is back.
    backoff: () => RECONNECT_SECONDS,
    types: { bigint: postgres.BigInt, textArray },
    // On every new connection postgres.js would ask for all array types, and does not catch the rejection of
    // that query: a connection lost then would end the process.
    fetch_types: false,
    connection: { application_name: options.name },
    debug: options.onSend ?? false,
    ...ONE_AT_A_TIME,
    onnotice: () => {},
  });
}

/** Runs `work` in one transaction: all of it is committed, or nothing. */
export async function transaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await database.begin(work)) as Result;
}
