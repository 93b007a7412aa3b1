import postgres from "postgres";

/** The connection pool. Amounts (`bigint` columns) are read and written as JavaScript `bigint`. */
export type Database = postgres.Sql<{ bigint: bigint }>;
/** A connection inside a transaction. */
export type Transaction = postgres.TransactionSql<{ bigint: bigint }>;
/** What a statement function runs on: alone in the pool, or as part of a transaction. */
export type Connection = postgres.ISql<{ bigint: bigint }>;

export interface ConnectOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Connections at most. */
  poolSize: number;
  /** False behind a PgBouncer (before 1.21) in transaction mode, which cannot keep prepared statements. */
  prepare: boolean;
  /** Shown in `pg_stat_activity`. */
  name: string;
}

/** Opens the pool; connections are made when they are first needed. */
export function connect(options: ConnectOptions): Database {
  return postgres(options.url, {
    max: options.poolSize,
    prepare: options.prepare,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: 60 * 60,
    types: { bigint: postgres.BigInt },
    connection: { application_name: options.name },
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
