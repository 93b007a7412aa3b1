import postgres from "postgres";
import { type ConnectOptions, connect, type SessionLimits, type TimeLimits } from "./connect.ts";

/** For statements that may take minutes; also applies if the role has no limit. */
const LONG_STATEMENT_SECONDS = 600;
/** Our transactions wait only for their own statements. */
const IDLE_IN_TRANSACTION_SECONDS = 60;

/**
 * Determines how to limit a pool's statements. Limits of the role, the database or the server's configuration take
 * precedence. Otherwise each connection requests the limit, unless a pooler rejects that, as PgBouncer does: then
 * only the client enforces the limit.
 *
 * @param statement_seconds the default; 0: no limit at all
 */
export async function readTimeLimits(
  options: Omit<ConnectOptions, "poolSize" | "limits">,
  statement_seconds: number,
): Promise<TimeLimits | null> {
  if (statement_seconds === 0) return null;
  const settings = await readSettings(options);
  const own = settings.get("statement_timeout");
  const session: SessionLimits = {};
  if (own === undefined) session.statement_timeout = statement_seconds * 1000;
  if (!settings.has("idle_in_transaction_session_timeout")) {
    session.idle_in_transaction_session_timeout = IDLE_IN_TRANSACTION_SECONDS * 1000;
  }
  const limits = {
    statement_seconds: own === undefined ? statement_seconds : own / 1000 || LONG_STATEMENT_SECONDS,
    long_statement_seconds:
      own === undefined
        ? Math.max(LONG_STATEMENT_SECONDS, statement_seconds)
        : own / 1000 || LONG_STATEMENT_SECONDS,
    session,
  };
  return (await isAccepted(options, limits)) ? limits : { ...limits, session: {} };
}

/** The configured limits, in milliseconds. 0 counts as configured for a role or database; the server's default is 0. */
async function readSettings(
  options: Omit<ConnectOptions, "poolSize" | "limits">,
): Promise<Map<string, number>> {
  const database = connect({ ...options, poolSize: 1 });
  try {
    const rows = await database<{ name: string; milliseconds: number }[]>`
      select name, setting::int as milliseconds from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout')
        and source <> 'default' and not (source = 'configuration file' and setting = '0')`;
    return new Map(rows.map(({ name, milliseconds }) => [name, milliseconds]));
  } finally {
    await database.end({ timeout: 0 });
  }
}

/** Whether connections may request them; a pooler closes a connection that does. */
async function isAccepted(
  options: Omit<ConnectOptions, "poolSize" | "limits">,
  limits: TimeLimits,
): Promise<boolean> {
  const database = connect({ ...options, poolSize: 1, limits });
  try {
    await database`select 1`;
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === PROTOCOL_VIOLATION) return false;
    throw error;
  } finally {
    await database.end({ timeout: 0 });
  }
}

/** SQLSTATE that PgBouncer reports with "unsupported startup parameter". */
const PROTOCOL_VIOLATION = "08P01";
