import { setTimeout as delay } from "node:timers/promises";
import { type ConnectOptions, connect, type Database, transaction } from "./connect.ts";

/** The pooler does not support prepared statements. The message has a remedy. */
class PreparedStatementsError extends Error {
  override readonly name = "PreparedStatementsError";
}

/** If the pooler has a single server connection, the second client waits for the first, and nothing can be detected. */
const WAIT_MILLISECONDS = 2_000;

/**
 * Resolves when a prepared statement still exists after another client has used the connection. This holds
 * except for a pooler in transaction mode that does not track prepared statements, such as PgBouncer before 1.21.
 * Requests would fail there occasionally, when clients switch connections: postgres.js prepares a lost statement
 * again and repeats it once, but can lose it again.
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

/** Runs a statement, lets the other client use the server connection, and runs the statement again. */
async function useTwice(ours: Database, other: Database): Promise<void> {
  const use = () => ours`select 1`;
  await use();
  await transaction(other, async (sql) => {
    await sql`select 2`;
    const again = use().execute();
    // biome-ignore lint/plugin/swallowed-failure: it is awaited below; until then, Node would end the process for it
    again.catch(() => {});
    const timer = new AbortController();
    const waited = delay(WAIT_MILLISECONDS, undefined, { signal: timer.signal });
    await Promise.race([again, waited]).finally(() => timer.abort());
  });
}
