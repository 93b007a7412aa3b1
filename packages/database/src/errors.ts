import postgres from "postgres";

const UNIQUE_VIOLATION = "23505";

/** The unique constraint or index that a statement ran against, or null when it failed otherwise. */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof postgres.PostgresError) || error.code !== UNIQUE_VIOLATION) return null;
  return error.constraint_name ?? null;
}

/** Whether Postgres refused a statement and undid it; an error of the connection does not tell as much. */
export function isRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === "ERROR";
}

const DEADLOCK_DETECTED = "40P01";

/** Whether Postgres ended a transaction because it and another waited for each other; again, it goes through. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === DEADLOCK_DETECTED;
}

/** Whether the ledger refused a change, since the payout that it is of is not of all that, or is settled. */
export function isRefusedByLedger(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.constraint_name === "ledger_entries_kind";
}

const NUMERIC_VALUE_OUT_OF_RANGE = "22003";

/** Whether Postgres refused a statement for what is in the rows: a key, a check, a sum that is too large. */
export function isOfRows(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false;
  return error.code.startsWith("23") || error.code === NUMERIC_VALUE_OUT_OF_RANGE;
}

/** What postgres.js and the sockets under it say when there is no connection. */
const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);

/**
 * SQLSTATEs of a server that is going away, coming up, full, or no longer the primary (appendix A of the
 * Postgres manual: class 08, class 57P, 53300, 25006), or at whose time limit a statement, a wait for a lock
 * or an idle transaction ended (57014, 55P03, 25P03).
 */
const UNAVAILABLE_STATES = new Set(["57P01", "57P02", "57P03", "53300", "25006", "57014", "55P03", "25P03"]);

/** Whether the database could not be reached, or could not serve: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return (
    CONNECTION_CODES.has(error.code) ||
    UNAVAILABLE_STATES.has(error.code) ||
    /^08[0-9A-Z]{3}$/.test(error.code)
  );
}

/** Time limits: of a statement, of a wait for a lock, of an idle transaction. */
const TIME_LIMIT_STATES = new Set(["57014", "55P03", "25P03"]);

/** Whether a statement or transaction came to the end of its time: the database may be well. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof postgres.PostgresError && TIME_LIMIT_STATES.has(error.code);
}
