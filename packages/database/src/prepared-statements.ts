import { setTimeout as delay } from "node:timers/promises";
import { type ConnectOptions, connect, type Database, transaction } from "./connect.ts";

/** What stands between us and Postgres does not keep prepared statements. The message says what to do. */
class PreparedStatementsError extends Error {
  override readonly name = "PreparedStatementsError";
}

/** With a single connection behind the pooler the second one waits for the first: nothing to see then. */
const WAIT_MILLISECONDS = 2_000;

/**
 * Resolves when a prepared statement is still there after another client has had the connection: always,
 * but for a pooler in transaction mode that does not keep track of them, as PgBouncer before 1.21. Requests
 * would fail there now and then, as connections are handed around: postgres.js prepares a lost statement
 * again and sends it once more, but it can be lost once more, too.
 *
 * @throws PreparedStatementsError otherwise
 */
export async function checkPreparedStatements(options: Omit<ConnectOptions, "poolSize">): Promise<void> {
  if (!options.prepare) return;
  let sent = 0;
  const ours = connect({
    ...options,
    poolSize: 1,
    onSend: () => {
      sent += 1;
    },
  });
  const other = connect({ ...options, poolSize: 1 });
  try {
    await useTwice(ours, other);
  } finally {
    await Promise.all([ours.end({ timeout: 0 }), other.end({ timeout: 0 })]);
  }
  if (sent === 2) return;
  throw new PreparedStatementsError(
    "The pooler in front of the database does not keep prepared statements: set DATABASE_PREPARE=false, or its max_prepared_statements (PgBouncer 1.21 or newer).",
  );
}

/** Runs a statement, lets the other client take the server's connection, and runs the statement again. */
async function useTwice(ours: Database, other: Database): Promise<void> {
  const use = () => ours`select 1`;
  await use();
  await transaction(other, async (sql) => {
    await sql`select 2`;
    const again = use().execute();
    again.catch(() => {});
    const timer = new AbortController();
    const waited = delay(WAIT_MILLISECONDS, undefined, { signal: timer.signal });
    await Promise.race([again, waited]).finally(() => timer.abort());
  });
}
